// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

extension BookkeepingKey where Content == [String]? {
  /// The fields that are still to come of what an import took over under a key of its source; nil for nothing yet.
  static func imported(_ key: String) -> Self { Self(name: "imported/\(key)", initial: nil) }
}

extension CapturedTransaction {
  /// Notes what the app's transaction takes over from a source, so that nothing is taken over twice.
  func noteImported(_ key: String, leaving fields: [String] = []) throws(StoreError) {
    try setBookkeeping(
      BookkeepingKey<[String]?>.imported(key).name,
      to: WireJSON.text(.array(fields.map(Value.string))))
  }
}
