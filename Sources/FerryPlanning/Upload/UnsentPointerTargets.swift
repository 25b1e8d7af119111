// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The records that the server has not acknowledged yet, as targets of pointers.
package struct UnsentPointerTargets {
  /// A record that must exist before the record whose field points to it.
  package struct Parent: Equatable {
    package var field: String
    package var key: RecordKey
  }

  /// The reasons why a record cannot be created now.
  package enum Obstacles: Equatable {
    case none
    /// Records to create in this run, in the order of the fields that point to them.
    case parents([Parent])
    case stuck(OutboxEntry.State)
  }

  private var entries: [Pointer: OutboxEntry] = [:]
  private let due: Set<RecordKey>
  private let dangling: Set<Pointer>
  private let former: Set<Pointer>

  package init(
    _ entries: [OutboxEntry], due: Set<RecordKey>, dangling: Set<Pointer>,
    former: Set<Pointer> = []
  ) {
    self.due = due
    self.dangling = dangling
    self.former = former
    for entry in entries where entry.kind == .create || entry.kind == .deleteAfterCreate {
      self.entries[Pointer(className: entry.className, objectID: entry.objectID)] = entry
    }
  }

  package func obstacles(in fields: [String: Value]) -> Obstacles {
    var parents: [Parent] = []
    for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
      for pointer in value.pointers {
        guard !former.contains(pointer) else {
          return .stuck(.blocked(by: .formerID(field: field)))
        }
        guard let target = entries[pointer] else {
          guard dangling.contains(pointer) else { continue }
          return .stuck(.parked(.targetGone(field)))
        }
        guard target.kind == .create, due.contains(target.key) else {
          return .stuck(.blocked(by: .record(Waiting(target.key, field: field))))
        }
        parents.append(Parent(field: field, key: target.key))
      }
    }
    return parents.isEmpty ? .none : .parents(parents)
  }

  /// The fields that cannot be sent now, each with the state that explains it.
  package func waiting(in fields: [String: Value]) -> [String: OutboxEntry.State] {
    var waiting: [String: OutboxEntry.State] = [:]
    for (field, value) in fields {
      switch obstacles(in: [field: value]) {
      case .none: continue
      case .stuck(let state): waiting[field] = state
      case .parents(let parents):
        waiting[field] = parents.first.map { .blocked(by: .record(Waiting($0.key, field: field))) }
      }
    }
    return waiting
  }
}

extension Refusal {
  package static func targetGone(_ field: String) -> Refusal {
    Refusal(
      reason: .parentGone,
      message: "The record that \(field) points to was deleted before the server had it. "
        + "The change is kept here and not sent; point \(field) at another record, or clear it.")
  }
}
