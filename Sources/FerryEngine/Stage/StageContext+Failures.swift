// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

// A class that fails is left out by the stages that follow, in this run and in later ones, until it is
// downloaded again. So stages that run one by one do what they do together.
extension StageContext {
  /// The classes that the run asks about and whose work has not failed since their last download, with their states.
  func intactClasses() throws(SyncError) -> [(entity: Entity, state: ClassState)] {
    try classStates().filter { $0.state.failure == nil }
  }

  /// The classes that the run asks about, with their states; those of a higher priority first.
  func classStates() throws(SyncError) -> [(entity: Entity, state: ClassState)] {
    try read { reader throws(StoreError) in
      try askedEntities.map { entity throws(StoreError) in
        (entity, try reader.state(.classState(entity.name)))
      }
    }
  }

  private var askedEntities: [Entity] {
    let priorities = options.priorities
    let asked = schema.entities.filter(asks)
    guard !priorities.isEmpty else { return asked }
    return asked.enumerated().sorted { left, right in
      let ranks = [left, right].map { priorities[$0.element.name] ?? 0 }
      return ranks[0] == ranks[1] ? left.offset < right.offset : ranks[0] > ranks[1]
    }.map(\.element)
  }

  /// Leaves a class out until its next download, and says why.
  func fail(
    _ className: String, as code: SyncNotice.Code = .classFailed, isForbidden: Bool = false,
    _ message: String
  ) throws(SyncError) {
    try change(.classState(className)) {
      $0.failure = ClassState.Failure(isForbidden: isForbidden, message: message)
    }
    notice(SyncNotice(code, className: className, message))
  }

  /// Takes a class in again, since its download went well.
  func recover(_ className: String) throws(SyncError) {
    guard try state(.classState(className)).failure != nil else { return }
    try change(.classState(className)) { $0.failure = nil }
  }
}
