// Ferry: offline-first sync for Parse Server. MIT licence.

/// The type of a field: a name, and for pointers and relations the class they lead to.
struct FieldType: Hashable, Sendable, CustomStringConvertible {
  let name: String
  var targetClass: String?

  static let string = FieldType(name: "String")
  static let number = FieldType(name: "Number")
  static let boolean = FieldType(name: "Boolean")
  static let date = FieldType(name: "Date")
  static let object = FieldType(name: "Object")
  static let array = FieldType(name: "Array")
  static let accessList = FieldType(name: "ACL")

  static func pointer(_ target: String) -> FieldType {
    FieldType(name: "Pointer", targetClass: target)
  }

  static func relation(_ target: String) -> FieldType {
    FieldType(name: "Relation", targetClass: target)
  }

  /// The types that need nothing but their name.
  static let plainNames: Set<String> = [
    "String", "Number", "Boolean", "Date", "Object", "Array", "GeoPoint", "File", "Bytes",
    "Polygon",
  ]

  var description: String { targetClass.map { "\(name)<\($0)>" } ?? name }
}
