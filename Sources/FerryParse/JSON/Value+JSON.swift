// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
import Foundation

extension Value {
  /// Reads a value without a declared type, as inside an Object or an Array.
  ///
  /// A value gets one of Parse's types only if writing it again gives the same members. An object
  /// that merely resembles one stays a plain object, so that nothing is lost.
  package init(_ element: JSONElement) throws(JSONError) {
    switch element.kind {
    case .null: self = .null
    case .boolean: self = .boolean(element.boolean ?? false)
    case .string: self = .string(element.string ?? "")
    case .number: self = element.integer.map(Value.integer) ?? .number(element.double ?? .nan)
    case .array: self = .array(try Value.elements(of: element))
    case .object:
      let members = try Value.members(of: element)
      self = Value.nested(members) ?? .object(members)
    }
  }

  /// Reads a value from JSON text, as in a column or a request.
  package init(json text: String) throws {
    self = try JSONReader().read(Data(text.utf8)) { try Value($0) }
  }

  static func elements(of element: JSONElement) throws(JSONError) -> [Value] {
    var values: [Value] = []
    guard let array = element.array else { return values }
    values.reserveCapacity(array.underestimatedCount)
    for element in array { values.append(try Value(element)) }
    return values
  }

  static func members(of element: JSONElement) throws(JSONError) -> [String: Value] {
    var values: [String: Value] = [:]
    guard let object = element.object else { return values }
    values.reserveCapacity(element.memberCount)
    for member in object {
      let name = member.name
      guard values.updateValue(try Value(member.value), forKey: name) == nil else {
        throw JSONError(.duplicateKey, "names \"\(name)\" twice in one object")
      }
    }
    return values
  }

  /// A relation has a meaning only as a field of its own.
  private static func nested(_ members: [String: Value]) -> Value? {
    guard let typed = Value(wireObject: members) else { return nil }
    if case .relation = typed { return nil }
    return typed
  }
}
