// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import FerryStore

/// Lists classes anew whose columns another program removed: the store has made the columns again, without values.
struct EmptiedFieldsStage: Stage {
  let name: StageName? = nil

  func run(in context: StageContext) throws(SyncError) {
    guard try !context.state(.emptiedFields).isEmpty else { return }
    try context.write(.full) { transaction throws(StoreError) in
      for (className, names) in try transaction.state(.emptiedFields) {
        try transaction.change(.classState(className)) { $0.forgetListing(of: names) }
        try transaction.outdateStagedPages(of: className)
      }
      try transaction.change(.emptiedFields) { $0 = [:] }
    }
  }
}

extension BookkeepingKey where Content == [String: Set<String>] {
  /// The fields whose values went with their columns, by class.
  fileprivate static var emptiedFields: Self { Self(name: EmptiedFields.key, initial: [:]) }
}

extension ClassState {
  /// The values of fields are unknown again, until a listing of the whole class has brought them.
  fileprivate mutating func forgetListing(of names: Set<String>) {
    fingerprint = nil
    listedFields?.subtract(names)
    everListedFields.subtract(names)
  }
}
