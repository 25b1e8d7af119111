// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse

/// Compares the local rows of a class with the server's, every field by its JSON.
///
/// It writes the local JSON with its own code, not with Ferry's.
struct Comparison {
  let entity: Entity

  /// A sentence for each difference.
  func differences(here: [Record], there: [String: TestServer.Row]) -> [String] {
    var left = there
    var differences: [String] = []
    for record in here {
      guard let row = left.removeValue(forKey: record.objectID) else {
        differences.append("\(name(record.objectID)) is here only.")
        continue
      }
      differences += self.differences(record, row)
    }
    return differences + left.keys.sorted().map { "\(name($0)) is on the server only." }
  }

  private func differences(_ record: Record, _ row: TestServer.Row) -> [String] {
    var here: TestServer.Row = [:]
    var there: TestServer.Row = [:]
    for field in entity.fields {
      here[field.name] = Self.json(record[field.name])
      there[field.name] = row[field.name]
    }
    here["ACL"] = Self.json(record.acl)
    here["createdAt"] = record.createdAt.map { .string($0.description) }
    here["updatedAt"] = record.version.map { .string($0.rawValue) }
    for own in ["ACL", "createdAt", "updatedAt"] { there[own] = row[own] }
    let names = Set(here.keys).union(there.keys).sorted()
    return names.compactMap { field in
      guard !Self.isSame(here[field], there[field]) else { return nil }
      let texts = [here[field], there[field]].map { $0?.text ?? "nothing" }
      return "\(name(record.objectID)) \(field): \(texts[0]) here, \(texts[1]) there."
    }
  }

  /// Whether two values are equal to the byte; equal texts with different composition differ.
  private static func isSame(_ here: LoopbackValue?, _ there: LoopbackValue?) -> Bool {
    switch (here, there) {
    case (.string(let here), .string(let there)): here.utf8.elementsEqual(there.utf8)
    case (.array(let here), .array(let there)): here.elementsEqual(there, by: isSame)
    case (.object(let here), .object(let there)):
      here.count == there.count && here.allSatisfy { isSame($0.value, there[$0.key]) }
    default: here == there
    }
  }

  private func name(_ objectID: String) -> String { "\(entity.name) \(objectID)" }

  /// A value as the server sends it; nil for none.
  private static func json(_ value: Value) -> LoopbackValue? {
    switch value {
    case .null: nil
    default: element(value)
    }
  }

  private static func element(_ value: Value) -> LoopbackValue {
    switch value {
    case .null: .null
    case .string(let text): .string(text)
    case .integer(let number): .number(Double(number))
    case .number(let number): .number(number)
    case .boolean(let flag): .bool(flag)
    case .date(let time): .date(time.description)
    case .pointer(let pointer): .pointer(pointer.className, pointer.objectID)
    case .bytes(let bytes): ["__type": "Bytes", "base64": .string(base64(bytes))]
    case .object(let members): .object(members.mapValues(element))
    case .array(let elements): .array(elements.map(element))
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
    case .file(let file): ["__type": "File", "name": .string(file.name)]
    case .relation(let className): ["__type": "Relation", "className": .string(className)]
    }
  }

  private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
