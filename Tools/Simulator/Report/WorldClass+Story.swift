// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryScenarios

extension WorldClass {
  /// The class as a story declares it, after a comment about what the notation has no words for.
  var storyLines: [String] {
    var text = ([name] + entity.fields.compactMap(\.storyText)).joined(separator: " ")
    let condition = entity.recordFilter?.storyText
    if let condition { text += ", where \(condition)" }
    switch deletions {
    case .softDelete(let field): text += ", soft delete by \(field)"
    case .deletionLog: text += ", deletion log"
    case .cloudFunction: text += ", cloud function"
    case .fullScan: text += ", full scan"
    case .never: text += ", never removed"
    case .counting: break
    }
    if let members { text += ", members \(Members.field):\(members)" }
    if isPrivateBySchema { text += ", private" }
    if isOnDemand { text += ", on demand" }
    let unsaid = unsaid
    let comment = "# Only the app's schema has " + unsaid.joined(separator: ", ") + "."
    return unsaid.isEmpty ? [text] : [comment, text]
  }

  private var unsaid: [String] {
    var unsaid = entity.table == name ? [] : ["the table \(entity.table)"]
    for field in entity.fields {
      if field.column != field.name { unsaid.append("the column \(field.column) of \(field.name)") }
      if !field.defaultValue.isNull { unsaid.append("the default of \(field.name)") }
      if field.type.storyText == nil, members == nil || field.name != Members.field {
        unsaid.append("the relation \(field.name)")
      }
    }
    if isFiltered, entity.recordFilter?.storyText == nil { unsaid.append("the filter of \(name)") }
    return unsaid
  }
}

extension Field {
  /// As a story declares it; nil for a relation.
  var storyText: String? { type.storyText.map { "\(name):\($0)" } }
}

extension Query {
  /// As a story writes it; what has no words there is left out.
  var storyText: String {
    className + (condition?.storyText.map { " where " + $0 } ?? "")
  }
}

extension Condition {
  /// As a story writes it; nil where it has no words.
  fileprivate var storyText: String? {
    switch self {
    case .field(let name, let comparison, let value):
      return comparison.storySign.map { "\(name) \($0) " + value.storyText { $0.objectID } }
    case .isNull(let name): return "\(name) = none"
    case .all(let conditions):
      let texts = conditions.compactMap(\.storyText)
      return texts.count == conditions.count ? texts.joined(separator: " and ") : nil
    case .oneOf, .any, .not, .text, .contains, .within, .among, .unsent: return nil
    }
  }
}

extension Condition.Comparison {
  fileprivate var storySign: String? {
    switch self {
    case .equal: "="
    case .lessThan: "<"
    case .lessThanOrEqual: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqual: ">="
    case .notEqual: nil
    }
  }
}
