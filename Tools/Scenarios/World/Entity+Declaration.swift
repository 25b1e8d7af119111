// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import LoopbackParse

extension Entity {
  /// The fields as a server's schema declares them, by name.
  package var declarations: [String: LoopbackValue] {
    Dictionary(
      fields.map { ($0.name, $0.type.declaration) }, uniquingKeysWith: { first, _ in first })
  }
}

extension FieldType {
  fileprivate var declaration: LoopbackValue {
    switch self {
    case .text: ["type": "String"]
    case .integer, .number: ["type": "Number"]
    case .boolean: ["type": "Boolean"]
    case .date: ["type": "Date"]
    case .bytes: ["type": "Bytes"]
    case .object: ["type": "Object"]
    case .array: ["type": "Array"]
    case .geoPoint: ["type": "GeoPoint"]
    case .polygon: ["type": "Polygon"]
    case .file: ["type": "File"]
    case .pointer(let target): ["type": "Pointer", "targetClass": .string(target)]
    case .relation(let target): ["type": "Relation", "targetClass": .string(target)]
    }
  }
}
