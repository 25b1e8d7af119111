// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Rows of one class and content, each with its name.
struct StoryRows: Sendable, Hashable {
  var className: String
  var names: [String]
  var fields: [String: StoryValue]
  var objectID: String?
  /// The access list that the app gives; nil for none.
  var acl: AccessList?
  /// Whether the rows have been there before, and keep their ids.
  var isAgain = false

  /// The fields of one of the rows.
  func fields(at index: Int) -> [String: StoryValue] {
    guard names.count > 1 else { return fields }
    let digits = names[index].reversed().prefix(while: \.isNumber).reversed()
    return fields.mapValues { $0.numbered(String(digits)) }
  }
}
