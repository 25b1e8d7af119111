// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The Swift code of one class: its struct, and the declaration of the class.
struct SwiftStruct {
  private struct Member {
    var field: Field
    var name: String
    /// Nil for a relation.
    var type: String?
  }

  let entity: Entity
  /// The name of the struct.
  let type: String
  private let members: [Member]

  init(_ entity: Entity, type: String) {
    self.entity = entity
    self.type = type
    let names = SwiftNames.properties(of: entity.fields.map(\.name))
    members = zip(entity.fields, names).map {
      Member(field: $0, name: $1, type: $0.type.swiftProperty)
    }
  }

  var code: String {
    """
    \(comment)
    struct \(type): SyncEntity, Equatable {
      /// The names of the fields, for conditions, orders and untyped rows.
      enum FieldName {
    \(members.map(fieldName).joined(separator: "\n"))
      }

      static let className = \(entity.name.swiftCode)
    \(fieldNames)

      /// The number of the row on this device.
      var id = LocalID()
      /// The id of the record. Ferry fills it when it reads a row.
      private(set) var objectId: String?
      /// The server's time of the create. Ferry fills it when it reads a row.
      private(set) var createdAt: Date?
      /// The server's time of the newest change. Ferry fills it when it reads a row.
      private(set) var updatedAt: Date?
    \((properties.map(property) + [codingKeys, initializer]).joined(separator: "\n"))
    }

    extension \(type) {
      /// The class, as a part of `Schema.app`.
      static let entity = \(initialEntity)
    }
    """.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix(Self.nothing) }.joined(separator: "\n")
  }

  /// The properties that Ferry fills, which are named as their columns.
  private static let filledProperties = ["objectId", "createdAt", "updatedAt"]

  /// Marks a line that is left out.
  private static let nothing = "\u{0}"

  private var properties: [Member] { members.filter { $0.type != nil } }

  private var comment: String {
    let table = entity.table == entity.name ? "" : ", in the table `\(entity.table)`"
    let relations = members.filter { $0.type == nil }.map { "`\($0.field.name)`" }
    let head = "/// A row of the class `\(entity.name)`\(table)."
    guard !relations.isEmpty else { return head }
    let names = relations.joined(separator: ", ")
    return head
      + "\n///\n/// The members of a relation are rows of another class, so these have no property: \(names)."
  }

  private func fieldName(_ member: Member) -> String {
    "    static let \(SwiftNames.quoted(member.name)) = \(member.field.name.swiftCode)"
  }

  private var fieldNames: String {
    let own = Self.filledProperties.map { "      \\\(type).\($0): \($0.swiftCode)," }
    let declared = properties.map { member in
      let name = SwiftNames.quoted(member.name)
      return "      \\\(type).\(name): FieldName.\(name),"
    }
    return """

        /// The fields of the properties, for queries by key paths.
        static var fieldNames: [PartialKeyPath<\(type)>: String] {
          [
      \((own + declared).joined(separator: "\n"))
          ]
        }
      """
  }

  private func property(_ member: Member) -> String {
    let value = member.field.defaultValue.isNull ? "" : ", with a default in new rows"
    let merge = member.field.merge.map { ", merged by \($0.rawValue)" } ?? ""
    return """
        /// \(member.field.type.serverWords)\(value)\(merge).
        var \(SwiftNames.quoted(member.name)): \(member.type ?? "Value")?
      """
  }

  /// Only for a struct whose properties have other names than their fields.
  private var codingKeys: String {
    guard properties.contains(where: { $0.name != $0.field.name }) else { return Self.nothing }
    let cases = properties.map { member in
      let value = member.name == member.field.name ? "" : " = \(member.field.name.swiftCode)"
      return "    case \(SwiftNames.quoted(member.name))\(value)"
    }
    return """

        private enum CodingKeys: String, CodingKey {
          case id, objectId, createdAt, updatedAt
      \(cases.joined(separator: "\n"))
        }
      """
  }

  private var initializer: String {
    let head = "\n  /// A new row, which the store has once it is inserted.\n"
    guard !properties.isEmpty else { return head + "  init() {}" }
    let parameters = properties.map { member in
      let value = member.field.defaultValue.swiftCodeOfProperty(of: member.field.type)
      return "    \(SwiftNames.quoted(member.name)): \(member.type ?? "Value")? = \(value)"
    }
    let assignments = properties.map { member in
      let name = SwiftNames.quoted(member.name)
      return "    self.\(name) = \(name)"
    }
    return head + """
        init(
      \(parameters.joined(separator: ",\n"))
        ) {
      \(assignments.joined(separator: "\n"))
        }
      """
  }

  private var initialEntity: String {
    guard let membership = entity.membership else {
      return """
        Entity(\(arguments)) {
        \(members.map(declaration).joined(separator: "\n"))
          }\(deletions)\(access)\(filter)\(onDemand)\(indexes)
        """
    }
    var parts = [
      "membersOf: \(membership.field.swiftCode)", "in: \(membership.ownerClass.swiftCode)",
      "from: \(membership.memberClass.swiftCode)", "name: className",
    ]
    if entity.table != entity.name { parts.append("table: \(entity.table.swiftCode)") }
    return "Entity(\(parts.joined(separator: ", ")))"
  }

  private var arguments: String {
    entity.table == entity.name ? "className" : "className, table: \(entity.table.swiftCode)"
  }

  private func declaration(_ member: Member) -> String {
    var parts = ["FieldName.\(SwiftNames.quoted(member.name))", member.field.type.swiftCode]
    if member.field.column != member.field.name {
      parts.append("column: \(member.field.column.swiftCode)")
    }
    if !member.field.defaultValue.isNull {
      parts.append("default: \(member.field.defaultValue.swiftCode)")
    }
    if let merge = member.field.merge { parts.append("merge: .\(merge.rawValue)") }
    if member.field.replacedFiles != .keep {
      parts.append("replacedFiles: .\(member.field.replacedFiles.rawValue)")
    }
    return "    Field(\(parts.joined(separator: ", ")))"
  }

  private var deletions: String {
    switch entity.deletionStrategy {
    case .counting: ""
    case .deletionLog: "\n  .deletions(.deletionLog)"
    case .cloudFunction: "\n  .deletions(.cloudFunction)"
    case .fullScan: "\n  .deletions(.fullScan)"
    case .never: "\n  .deletions(.never)"
    case .softDelete(let field): "\n  .deletions(.softDelete(field: \(field.swiftCode)))"
    }
  }

  private var access: String {
    entity.defaultAccess.swiftCode.map { "\n  .access(\($0))" } ?? ""
  }

  private var filter: String {
    entity.recordFilter.map { "\n  .filter(\($0.swiftCode))" } ?? ""
  }

  private var onDemand: String { entity.isOnDemand ? "\n  .onDemand()" : "" }

  private var indexes: String {
    guard let indexes = entity.indexes else { return "" }
    let list = indexes.map { index in
      "Index(\(index.fields.map(\.swiftCode).joined(separator: ", ")))"
    }
    return "\n  .indexes(\(list.joined(separator: ", ")))"
  }
}
