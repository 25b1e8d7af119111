// Ferry: offline-first sync for Parse Server. MIT licence.

/// The fields whose columns a store had to make again, without values.
///
/// A store notes them in its bookkeeping, and the next sync lists their classes as a whole.
package enum EmptiedFields {
  /// The key of the bookkeeping: an object with the names of the fields by class.
  package static let key = "emptied"
}
