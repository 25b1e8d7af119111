// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// The work of one transaction of the engine in a device's store.
final class StoreNotes {
  /// The rows that it wrote, each with its class and its access list.
  ///
  /// A field without a value may be missing.
  var values: [(className: String, fields: Fields, acl: Value)] = []
  /// The rows that it removed.
  var removed: [(className: String, fields: Fields)] = []
  /// The conflict records that it wrote.
  var conflicts: [ConflictRecord] = []
}
