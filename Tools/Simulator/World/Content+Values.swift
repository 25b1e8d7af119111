// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import LoopbackParse

// The values of devices and of the server, each by a code of its own.
extension Content {
  /// A value of a device's row; `name` says which row has an id.
  init(_ value: Value, name: (Pointer) -> String) {
    self =
      switch value {
      case .string(let text): .text(text)
      case .integer(let number): .number(Int(number))
      case .number(let number): Self.number(number)
      case .boolean(let flag): .flag(flag)
      case .pointer(let pointer): .row(name(pointer))
      case .date(let date): .date(date)
      case .bytes(let bytes): .bytes(bytes)
      case .object(let members): .object(members.mapValues { Content($0, name: name) })
      case .array(let elements): .array(elements.map { Content($0, name: name) })
      case .geoPoint(let place): .place(place)
      case .polygon(let corners):
        .area(corners.first == corners.last ? corners : corners + corners.prefix(1))
      case .file(let file): .file(file.name)
      case .null, .relation: .empty
      }
  }

  /// A value of a server's row.
  init(_ value: LoopbackValue, name: (Pointer) -> String) {
    self =
      switch value {
      case .string(let text): .text(text)
      case .number(let number): Self.number(number)
      case .bool(let flag): .flag(flag)
      case .array(let elements): .array(elements.map { Content($0, name: name) })
      case .object(let members): Self.typed(members, name)
      case .null: .empty
      }
  }

  private static func typed(
    _ members: [String: LoopbackValue], _ name: (Pointer) -> String
  ) -> Content {
    switch members["__type"]?.string {
    case "Pointer":
      .row(
        name(
          Pointer(
            className: members["className"]?.string ?? "",
            objectID: members["objectId"]?.string ?? "")))
    case "Date": Timestamp(members["iso"]?.string ?? "").map(Content.date) ?? .empty
    case "Bytes":
      .bytes(Array(Data(base64Encoded: members["base64"]?.string ?? "") ?? Data()))
    case "GeoPoint":
      .place(place(members["latitude"]?.number, members["longitude"]?.number))
    case "Polygon":
      .area(
        (members["coordinates"]?.array ?? []).map {
          place($0.array?.first?.number, $0.array?.last?.number)
        })
    case "File": .file(members["name"]?.string ?? "")
    case "Relation": .empty
    default: .object(members.mapValues { Content($0, name: name) })
    }
  }

  private static func place(_ latitude: Double?, _ longitude: Double?) -> GeoPoint {
    GeoPoint(latitude: latitude ?? .nan, longitude: longitude ?? .nan)
  }

  /// The value for a device's row; nil where the row that it points to is not known there.
  func value(pointer: (String) -> Pointer?) -> Value? {
    switch self {
    case .empty: return .null
    case .text(let text): return .string(text)
    case .number(let number): return .integer(Int64(number))
    case .half(let number): return .number(Double(number) + 0.5)
    case .fraction(let number): return .number(number)
    case .flag(let flag): return .boolean(flag)
    case .row(let name): return (Self.outside(name) ?? pointer(name)).map(Value.pointer)
    case .date(let date): return .date(date)
    case .bytes(let bytes): return .bytes(bytes)
    case .object(let members):
      let values = members.compactMapValues { $0.value(pointer: pointer) }
      return values.count == members.count ? .object(values) : nil
    case .array(let elements):
      let values = elements.compactMap { $0.value(pointer: pointer) }
      return values.count == elements.count ? .array(values) : nil
    case .place(let place): return .geoPoint(place)
    case .area(let corners): return .polygon(corners)
    case .file(let name): return .file(File(name: name, url: Self.url(of: name)))
    }
  }

  /// The value for a server's row; nil where the server has no row to point to.
  func loopbackValue(pointer: (String) -> Pointer?) -> LoopbackValue? {
    switch self {
    case .empty: return ["__op": "Delete"]
    case .text(let text): return .string(text)
    case .number(let number): return .number(Double(number))
    case .half(let number): return .number(Double(number) + 0.5)
    case .fraction(let number): return .number(number)
    case .flag(let flag): return .bool(flag)
    case .row(let name):
      return (Self.outside(name) ?? pointer(name)).map { .pointer($0.className, $0.objectID) }
    case .date(let date): return .date(date.description)
    case .bytes(let bytes):
      return ["__type": "Bytes", "base64": .string(Data(bytes).base64EncodedString())]
    case .object(let members):
      let values = members.compactMapValues { $0.loopbackValue(pointer: pointer) }
      return values.count == members.count ? .object(values) : nil
    case .array(let elements):
      let values = elements.compactMap { $0.loopbackValue(pointer: pointer) }
      return values.count == elements.count ? .array(values) : nil
    case .place(let place):
      return [
        "__type": "GeoPoint", "latitude": .number(place.latitude),
        "longitude": .number(place.longitude),
      ]
    case .area(let corners):
      return [
        "__type": "Polygon",
        "coordinates": .array(
          corners.map { .array([.number($0.latitude), .number($0.longitude)]) }),
      ]
    case .file(let name):
      return ["__type": "File", "name": .string(name), "url": .string(Self.url(of: name))]
    }
  }

  /// The record outside the world that a name means; nil for a row's name.
  private static func outside(_ name: String) -> Pointer? {
    guard let colon = name.firstIndex(of: ":") else { return nil }
    return Pointer(
      className: String(name[..<colon]), objectID: String(name[name.index(after: colon)...]))
  }

  private static func url(of name: String) -> String { "http://files/\(name)" }
}
