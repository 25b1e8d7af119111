// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

extension Condition {
  /// The condition as Swift code, where Swift expects a `Condition`.
  var swiftCode: String {
    switch self {
    case .field(let name, let comparison, let value):
      ".field(\(name.swiftCode), .\(comparison), \(value.swiftCode))"
    case .oneOf(let name, let values):
      ".oneOf(\(name.swiftCode), [\(values.map(\.swiftCode).joined(separator: ", "))])"
    case .isNull(let name): ".isNull(\(name.swiftCode))"
    case .all(let conditions): ".all([\(Self.swiftCode(of: conditions))])"
    case .any(let conditions): ".any([\(Self.swiftCode(of: conditions))])"
    case .not(let condition): ".not(\(condition.swiftCode))"
    case .text, .contains, .within, .among, .unsent:
      preconditionFailure("Schema.validate() lets no filter have \(self)")
    }
  }

  private static func swiftCode(of conditions: [Condition]) -> String {
    conditions.map(\.swiftCode).joined(separator: ", ")
  }
}
