// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import LoopbackParse

// Values on the wire, as the story's client writes and reads them: by a code of its own, so that a
// mistake in the engine's encoding cannot cancel itself out.
extension LoopbackValue {
  init(_ value: FerryModel.Value) {
    self =
      switch value {
      case .null: .null
      case .boolean(let flag): .bool(flag)
      case .integer(let number): .number(Double(number))
      case .number(let number): .number(number)
      case .string(let text): .string(text)
      case .date(let date): .date(date.description)
      case .pointer(let pointer): .pointer(pointer.className, pointer.objectID)
      case .bytes(let bytes):
        ["__type": "Bytes", "base64": .string(Data(bytes).base64EncodedString())]
      case .object(let members): .object(members.mapValues(LoopbackValue.init))
      case .array(let elements): .array(elements.map(LoopbackValue.init))
      case .geoPoint(let point):
        [
          "__type": "GeoPoint", "latitude": .number(point.latitude),
          "longitude": .number(point.longitude),
        ]
      case .polygon(let corners):
        [
          "__type": "Polygon",
          "coordinates": .array(
            corners.map { .array([.number($0.latitude), .number($0.longitude)]) }),
        ]
      case .file(let file):
        ["__type": "File", "name": .string(file.name), "url": .string("http://files/\(file.name)")]
      case .relation(let className): ["__type": "Relation", "className": .string(className)]
      }
  }

  /// The value of this name.
  var storyValue: FerryModel.Value {
    switch self {
    case .null: .null
    case .bool(let flag): .boolean(flag)
    case .number(let number):
      Int64(exactly: number).map(FerryModel.Value.integer) ?? .number(number)
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map(\.storyValue))
    case .object(let members): typed(members)
    }
  }

  private func typed(_ members: [String: LoopbackValue]) -> FerryModel.Value {
    switch members["__type"]?.string {
    case "Date": Timestamp(members["iso"]?.string ?? "").map(FerryModel.Value.date) ?? .null
    case "Pointer", "Object":
      .pointer(
        Pointer(
          className: members["className"]?.string ?? "", objectID: members["objectId"]?.string ?? ""
        ))
    case "Bytes": .bytes(Array(Data(base64Encoded: members["base64"]?.string ?? "") ?? Data()))
    case "GeoPoint":
      .geoPoint(
        GeoPoint(
          latitude: members["latitude"]?.number ?? 0, longitude: members["longitude"]?.number ?? 0))
    case "Polygon":
      .polygon(
        (members["coordinates"]?.array ?? []).map { corner in
          let numbers = corner.array?.compactMap(\.number) ?? []
          return GeoPoint(latitude: numbers.first ?? 0, longitude: numbers.last ?? 0)
        })
    case "File": .file(File(name: members["name"]?.string ?? ""))
    case "Relation": .relation(className: members["className"]?.string ?? "")
    default: .object(members.mapValues(\.storyValue))
    }
  }
}
