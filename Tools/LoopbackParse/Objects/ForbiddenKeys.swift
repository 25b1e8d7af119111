// Ferry: offline-first sync for Parse Server. MIT licence.

/// Names that no key of what is written may have, however deep.
enum ForbiddenKeys {
  /// Refuses what could reach into the server's own objects.
  static func checkKeywords(_ fields: [String: LoopbackValue]) throws(Refusal) {
    for (name, value) in fields {
      if name == "constructor" || name == "__proto__" {
        throw .parse(105, "Prohibited keyword in request data: {\"key\":\"\(name)\"}.")
      }
      if name == "_bsontype", value == "Code" {
        throw .parse(
          105, "Prohibited keyword in request data: {\"key\":\"_bsontype\",\"value\":\"Code\"}.")
      }
      try checkKeywords(in: value)
    }
  }

  private static func checkKeywords(in value: LoopbackValue) throws(Refusal) {
    switch value {
    case .object(let members): try checkKeywords(members)
    case .array(let elements): for element in elements { try checkKeywords(in: element) }
    default: return
    }
  }

  /// Whether a key inside a value has a sign that the database takes for its own.
  static func hasSign(in value: LoopbackValue) -> Bool {
    switch value {
    case .object(let members):
      members.contains { name, member in
        name.contains("$") || name.contains(".") || hasSign(in: member)
      }
    case .array(let elements): elements.contains(where: hasSign)
    default: false
    }
  }

  static let sign = Refusal.parse(
    121, "Nested keys should not contain the '$' or '.' characters")
}
