// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation

extension FuzzTarget {
  /// A value that is written reads as itself, by each reader.
  static func checkValue(_ bytes: Data) throws(BrokenLaw) {
    let fault = JSONPlace.firstFault(in: bytes)
    let value: Value
    do {
      value = try JSONReader().read(bytes) { try Value($0) }
    } catch {
      let code = (error as? JSONError)?.code
      let isOfSyntax = code == .badStructure || code == .cutShort || code == .empty
      return try law(
        !isOfSyntax || fault != nil, "The reader refuses, and no place is at fault: \(error)")
    }
    try law(fault == nil, "The reader accepts a text with a fault: \(fault.map { "\($0)" } ?? "")")
    let text = WireJSON.text(value)
    guard let again = try? Value(json: text) else { throw BrokenLaw("Not read again: \(text)") }
    try law(again == value, "A value becomes another by writing: \(text)")
    try law(WireJSON.text(again) == text, "A text becomes another by reading: \(text)")
    // A relation alone is a field, and none inside a value.
    let column = Value(wireJSON: "[\(text)]")
    try law(column == [value], "A value becomes another in a column: \(text)")
    guard let coded = try? JSONEncoder().encode(value),
      let decoded = try? JSONDecoder().decode(Value.self, from: coded)
    else { throw BrokenLaw("Swift's coders refuse: \(text)") }
    try law(decoded == value, "A value becomes another in Swift's coders: \(text)")
    try checkFields(value)
  }

  /// A field that takes a value keeps it, and so does a property of a Swift type.
  private static func checkFields(_ value: Value) throws(BrokenLaw) {
    for field in Entity.everyType.fields where value.reason(againstWritingTo: field.type) == nil {
      let kept = value.normalized(for: field.type)
      try law(
        field.type.accepts(kept), "\(field.name) does not take what it makes of \(value.json)")
    }
    guard case .object(let members) = value else { return }
    let record = Record(className: "FuzzEntity", objectID: "a", fields: Fields(members))
    guard let entity = try? RecordDecoder.entity(FuzzEntity.self, from: record) else { return }
    guard let fields = try? RecordEncoder.fields(of: entity) else {
      throw BrokenLaw("A property cannot be encoded: \(value.json)")
    }
    let again = Record(className: "FuzzEntity", objectID: "a", fields: fields)
    let decoded = try? RecordDecoder.entity(FuzzEntity.self, from: again)
    try law(decoded == entity, "A property changes on its way: \(value.json)")
  }
}
