// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Reads classes in the form of Parse's own schemas.
///
/// A class: `{"fields":{"title":{"type":"String"},"league":{"type":"Pointer","targetClass":"League"}},
/// "deletions":"counting"}`. Beside Parse's keys a class may have `table`, `deletions`, `filter`, `access`, `onDemand` and a list of
/// `indexes`, a field `column`, `merge` and `integer`, which says that a Number has no fraction.
package enum SchemaReader {
  /// Reads classes by name, in the form of `ferry.json`.
  package static func entities(byName classes: JSONElement) throws -> [Entity] {
    guard let members = classes.object else {
      throw SchemaReadingError([], "is not an object that has a member for each class")
    }
    if let name = members.duplicateKey { throw SchemaReadingError([name], "occurs twice") }
    return try members.map { member in
      try check(member.value, [member.name], allowed: classKeys)
      return try entity(member.name, member.value) { name, element, path in
        try check(element, path, allowed: fieldKeys)
        return try field(name, element, path: path)
      }
    }
  }

  /// Reads a server's list of classes, without the members that only servers use.
  package static func entities(ofServer answer: JSONElement) throws -> [Entity] {
    guard let classes = answer["results"]?.array else {
      throw SchemaReadingError([], "is not a list of classes")
    }
    return try classes.map { element in
      guard let name = element["className"]?.string else {
        throw SchemaReadingError([], "has a class without a name")
      }
      return try entity(name, element) { field, element, path in
        isServersOwn(field, in: name) ? nil : try? self.field(field, element, path: path)
      }
    }
  }

  private static let classKeys: Set<String> = [
    "className", "fields", "classLevelPermissions", "indexes", "table", "deletions",
    "filter", "access", "onDemand", "membersOf",
  ]
  private static let fieldKeys: Set<String> = [
    "type", "targetClass", "required", "defaultValue", "column", "integer", "merge",
    "replacedFiles",
  ]
  /// The fields that every record has without declaring them.
  private static let undeclared: Set<String> = ["objectId", "createdAt", "updatedAt", "ACL"]

  /// Fields of users that the server accepts but never returns, or returns only to that user.
  private static func isServersOwn(_ field: String, in className: String) -> Bool {
    field.hasPrefix("_") || (className == "_User" && ["password", "authData"].contains(field))
  }

  private static func entity(
    _ name: String, _ element: JSONElement,
    readField: (String, JSONElement, [String]) throws -> Field?
  ) throws -> Entity {
    if let relation = element["membersOf"] { return try members(of: relation, name, element) }
    guard let members = element["fields"]?.object else {
      throw SchemaReadingError([name], "has no object \"fields\"")
    }
    if let twin = members.duplicateKey {
      throw SchemaReadingError([name, "fields", twin], "occurs twice")
    }
    let fields = try members.compactMap { member in
      undeclared.contains(member.name)
        ? nil : try readField(member.name, member.value, [name, "fields", member.name])
    }
    var entity = Entity(name, table: try text("table", in: element, [name]), fields: fields)
    if let deletions = element["deletions"] {
      entity.deletionStrategy = try strategy(deletions, path: [name, "deletions"])
    }
    if let filter = element["filter"] {
      let reader = FilterReader(entity: entity)
      entity.recordFilter = try reader.condition(filter, path: [name, "filter"])
    }
    if let access = element["access"] {
      entity.defaultAccess = try DefaultAccess(reading: access, path: [name, "access"])
    }
    if let onDemand = element["onDemand"] {
      guard let isOnDemand = onDemand.boolean else {
        throw SchemaReadingError([name, "onDemand"], "has to be true or false")
      }
      entity.isOnDemand = isOnDemand
    }
    if let indexes = element["indexes"] {
      entity.indexes = try self.indexes(indexes, path: [name, "indexes"])
    }
    return entity
  }

  /// The class of a relation's members, whose fields follow from the relation.
  private static func members(
    of relation: JSONElement, _ name: String, _ element: JSONElement
  ) throws -> Entity {
    try check(element, [name], allowed: ["className", "membersOf", "table"])
    let path = [name, "membersOf"]
    guard let owner = try text("className", in: relation, path),
      let field = try text("field", in: relation, path),
      let member = try text("targetClass", in: relation, path)
    else {
      throw SchemaReadingError(
        path, "has to be an object with \"className\", \"field\" and \"targetClass\"")
    }
    return Entity(
      membersOf: field, in: owner, from: member, name: name,
      table: try text("table", in: element, [name]))
  }

  /// Indexes as lists of fields; nil for an object, in which a server lists its own indexes.
  private static func indexes(_ element: JSONElement, path: [String]) throws -> [Index]? {
    if element.object != nil { return nil }
    let fault = #"has to be a list of indexes, each a list of fields: [["league", "title"]]"#
    guard let list = element.array else { throw SchemaReadingError(path, fault) }
    return try list.map { index in
      guard let fields = index.array else { throw SchemaReadingError(path, fault) }
      return Index(
        try fields.map { field in
          guard let name = field.string else { throw SchemaReadingError(path, fault) }
          return name
        })
    }
  }

  private static func field(
    _ name: String, _ element: JSONElement, path: [String]
  ) throws -> Field {
    guard let typeName = try text("type", in: element, path) else {
      throw SchemaReadingError(path, "has no \"type\"")
    }
    let target = try text("targetClass", in: element, path)
    let type = try type(
      typeName, target: target, isInteger: try isInteger(element, of: typeName, path), path: path)
    var field = Field(name, type, column: try text("column", in: element, path))
    if let value = element["defaultValue"] {
      guard let value = try type.read(value) else {
        throw SchemaReadingError(path, "has a default value that is not of type \(typeName)")
      }
      field.defaultValue = value
    }
    field.merge = try merge(element, path)
    field.replacedFiles = try replacedFiles(element, of: type, path)
    return field
  }

  /// Only fields for files can have it.
  private static func replacedFiles(
    _ element: JSONElement, of type: FieldType, _ path: [String]
  ) throws -> ReplacedFiles {
    guard let name = try text("replacedFiles", in: element, path) else { return .keep }
    guard let choice = ReplacedFiles(rawValue: name) else {
      let names = ReplacedFiles.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw SchemaReadingError(path + ["replacedFiles"], "is none of \(names)")
    }
    guard type == .file else {
      throw SchemaReadingError(path + ["replacedFiles"], "is only for fields of type File")
    }
    return choice
  }

  private static func merge(_ element: JSONElement, _ path: [String]) throws -> FieldMerge? {
    guard let name = try text("merge", in: element, path) else { return nil }
    guard let merge = FieldMerge(rawValue: name) else {
      let names = FieldMerge.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw SchemaReadingError(path + ["merge"], "is none of \(names)")
    }
    return merge
  }

  /// Only numbers can be whole.
  private static func isInteger(
    _ element: JSONElement, of typeName: String, _ path: [String]
  ) throws -> Bool {
    guard let member = element["integer"] else { return false }
    guard let isInteger = member.boolean else {
      throw SchemaReadingError(path + ["integer"], "has to be true or false")
    }
    guard typeName == "Number" else {
      throw SchemaReadingError(
        path + ["integer"],
        "is allowed only where \"type\" is \"Number\", and the type is \"\(typeName)\"")
    }
    return isInteger
  }

  private static func type(
    _ name: String, target: String?, isInteger: Bool, path: [String]
  ) throws -> FieldType {
    switch (name, target) {
    case ("String", _): return .text
    case ("Number", _): return isInteger ? .integer : .number
    case ("Boolean", _): return .boolean
    case ("Date", _): return .date
    case ("Bytes", _): return .bytes
    case ("Object", _): return .object
    case ("Array", _): return .array
    case ("GeoPoint", _): return .geoPoint
    case ("Polygon", _): return .polygon
    case ("File", _): return .file
    case ("Pointer", let target?): return .pointer(to: target)
    case ("Relation", let target?): return .relation(to: target)
    case ("Pointer", nil), ("Relation", nil):
      throw SchemaReadingError(path, "is a \(name) without \"targetClass\"")
    default:
      throw SchemaReadingError(
        path,
        "has the type \"\(name)\", which is none of String, Number, Boolean, Date, Pointer, Bytes, "
          + "Object, Array, GeoPoint, Polygon, File and Relation")
    }
  }

  private static func strategy(
    _ element: JSONElement, path: [String]
  ) throws -> DeletionStrategy {
    if let field = element["softDelete"]?.string { return .softDelete(field: field) }
    switch element.string {
    case "counting": return .counting
    case "cloudFunction": return .cloudFunction
    case "deletionLog": return .deletionLog
    case "fullScan": return .fullScan
    case "never": return .never
    default:
      throw SchemaReadingError(
        path,
        #"is none of "counting", "deletionLog", "cloudFunction", "fullScan", "never" and {"softDelete": FIELD}"#
      )
    }
  }

  private static func text(
    _ key: StaticString, in element: JSONElement, _ path: [String]
  ) throws -> String? {
    guard let value = element[key] else { return nil }
    guard let text = value.string else {
      throw SchemaReadingError(path + ["\(key)"], "is not a text")
    }
    return text
  }

  /// An unknown key is more often a typing error than an intention.
  private static func check(
    _ element: JSONElement, _ path: [String], allowed: Set<String>
  ) throws {
    guard let object = element.object else { throw SchemaReadingError(path, "is not an object") }
    for member in object where !allowed.contains(member.name) {
      throw SchemaReadingError(path, "has the key \"\(member.name)\", which means nothing here")
    }
  }
}
