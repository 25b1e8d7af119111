// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Writes classes in the form that `SchemaReader` reads: one field a line, in the order declared.
package enum SchemaWriter {
  /// An object with a member for each class.
  ///
  /// The lines after the first are indented by that many spaces.
  package static func text(_ entities: [Entity], indentation: Int = 0) -> String {
    let margin = String(repeating: " ", count: indentation)
    guard !entities.isEmpty else { return "{}" }
    let classes = entities.map { entity in
      "\(margin)  \(quoted(entity.name)): {\n\(body(of: entity, margin + "    "))\n\(margin)  }"
    }
    return "{\n\(classes.joined(separator: ",\n"))\n\(margin)}"
  }

  private static func body(of entity: Entity, _ margin: String) -> String {
    var lines: [String] = []
    if entity.table != entity.name { lines.append("\(margin)\"table\": \(quoted(entity.table))") }
    if let relation = entity.membership {
      let parts = [
        ("className", relation.ownerClass), ("field", relation.field),
        ("targetClass", relation.memberClass),
      ].map { "\"\($0)\": \(quoted($1))" }
      return (lines + ["\(margin)\"membersOf\": { \(parts.joined(separator: ", ")) }"])
        .joined(separator: ",\n")
    }
    let fields = entity.fields.map { "\(margin)  \(quoted($0.name)): \(text($0))" }
    let list = fields.isEmpty ? "{}" : "{\n\(fields.joined(separator: ",\n"))\n\(margin)}"
    lines.append("\(margin)\"fields\": \(list)")
    lines.append("\(margin)\"deletions\": \(text(entity.deletionStrategy))")
    if let filter = try? entity.filterConstraint() {
      lines.append("\(margin)\"filter\": \(WireJSON.text(.object(filter.wire)))")
    }
    if let access = entity.defaultAccess.json {
      lines.append("\(margin)\"access\": \(WireJSON.text(access))")
    }
    if entity.isOnDemand { lines.append("\(margin)\"onDemand\": true") }
    if let indexes = entity.indexes { lines.append("\(margin)\"indexes\": \(text(indexes))") }
    return lines.joined(separator: ",\n")
  }

  private static func text(_ indexes: [Index]) -> String {
    let lists = indexes.map { "[\($0.fields.map(quoted).joined(separator: ", "))]" }
    return "[\(lists.joined(separator: ", "))]"
  }

  private static func text(_ field: Field) -> String {
    var parts = ["\"type\": \(quoted(field.type.wireName))"]
    switch field.type {
    case .pointer(let target), .relation(let target):
      parts.append("\"targetClass\": \(quoted(target))")
    case .integer: parts.append("\"integer\": true")
    case .text, .number, .boolean, .date, .bytes, .object, .array, .geoPoint, .polygon, .file: break
    }
    if field.column != field.name { parts.append("\"column\": \(quoted(field.column))") }
    if !field.defaultValue.isNull {
      parts.append("\"defaultValue\": \(WireJSON.text(field.defaultValue))")
    }
    if field.replacedFiles != .keep {
      parts.append("\"replacedFiles\": \(quoted(field.replacedFiles.rawValue))")
    }
    if let merge = field.merge { parts.append("\"merge\": \(quoted(merge.rawValue))") }
    return "{ \(parts.joined(separator: ", ")) }"
  }

  private static func text(_ strategy: DeletionStrategy) -> String {
    switch strategy {
    case .counting: quoted("counting")
    case .deletionLog: quoted("deletionLog")
    case .cloudFunction: quoted("cloudFunction")
    case .fullScan: quoted("fullScan")
    case .never: quoted("never")
    case .softDelete(let field): "{ \"softDelete\": \(quoted(field)) }"
    }
  }

  private static func quoted(_ text: String) -> String { WireJSON.text(.string(text)) }
}
