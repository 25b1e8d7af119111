// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

extension FieldType {
  /// Reads a field's value from the wire; nil if it has another type.
  func read(_ element: JSONElement) throws(JSONError) -> Value? {
    if element.isNull { return .null }
    switch self {
    case .text: return element.string.map(Value.string)
    case .integer:
      if let whole = element.integer { return .integer(whole) }
      return element.double.flatMap { Int64(exactly: $0) }.map(Value.integer)
    case .number: return element.double.map(Value.number)
    case .boolean: return element.boolean.map(Value.boolean)
    case .date: return ParseDate.read(element).map(Value.date)
    case .bytes: return ParseBytes.read(element).map(Value.bytes)
    case .geoPoint: return ParseGeoPoint.read(element).map(Value.geoPoint)
    case .polygon: return ParsePolygon.read(element).map(Value.polygon)
    case .file: return ParseFile.read(element).map(Value.file)
    case .pointer(let target):
      return ParsePointer.read(element).flatMap { $0.className == target ? .pointer($0) : nil }
    case .relation(let target):
      return ParseRelation.read(element) == target ? .relation(className: target) : nil
    case .object:
      // A value of one of Parse's types is not an Object, even though it is written as one.
      guard element.kind == .object, case .object(let members) = try Value(element) else {
        return nil
      }
      return .object(members)
    case .array:
      return element.kind == .array ? .array(try Value.elements(of: element)) : nil
    }
  }
}
