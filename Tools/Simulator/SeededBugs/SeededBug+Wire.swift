// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import Foundation
import LoopbackParse

// Mistakes in requests, in the reading of answers, and in the settings.
extension SeededBug {
  /// The body of a request with the mistake; `now` is the time of the device.
  func changed(_ body: [UInt8], now: Timestamp) -> [UInt8] {
    parts.reduce(body) { $1.changedAlone($0, now: now) }
  }

  private func changedAlone(_ body: [UInt8], now: Timestamp) -> [UInt8] {
    let text = String(decoding: body, as: UTF8.self)
    switch self {
    case .skippedTies where text.contains("\"$or\""):
      return Array(
        text.replacing("\"updatedAt\":{\"$gte\"", with: "\"updatedAt\":{\"$gt\"")
          .replacing("\"$or\"", with: "\"$nor\"").utf8)
    case .onePage where text.contains("\"$or\"") && text.contains("updatedAt,objectId"):
      return Array(text.replacing("\"where\":{", with: "\"where\":{\"title\":\"nobody\",").utf8)
    case .blindLookup where text.contains("\"ferryKey\":{\"$in\""):
      return Array(
        text.replacing("\"ferryKey\":{\"$in\":[", with: "\"ferryKey\":{\"$nin\":[\"nobody\",").utf8)
    case .ownClock: return Array(atOwnTime(text, now).utf8)
    default: return body
    }
  }

  /// Lets each listing but the first of a class begin 90 seconds before the device's time.
  private func atOwnTime(_ text: String, _ now: Timestamp) -> String {
    let start = "\"updatedAt\":{\"$gte\":{\"__type\":\"Date\",\"iso\":\""
    var parts = text.components(separatedBy: start)
    for place in parts.indices.dropFirst() where !parts[place].hasPrefix("0001") {
      parts[place] =
        Timestamp(milliseconds: now.milliseconds - 90_000).description + parts[place].dropFirst(24)
    }
    return parts.joined(separator: start)
  }

  /// The answer with the mistake.
  func changed(_ answer: [UInt8]) -> [UInt8] {
    guard parts.contains(.errorsAsSuccess), let items = try? LoopbackValue(json: answer).array
    else {
      return answer
    }
    let changed = items.map { item -> LoopbackValue in
      item["error"] == nil ? item : ["success": ["updatedAt": "2026-05-28T20:26:40.001Z"]]
    }
    return Array(LoopbackValue.array(changed).text.utf8)
  }

  /// The settings with the mistake.
  func changed(_ settings: WorldSettings) -> WorldSettings {
    var settings = settings
    if parts.contains(.noOverlap) { settings.sync.overlap = .zero }
    if parts.contains(.noSettling) { settings.sync.maximumRequestDuration = .zero }
    return settings
  }
}
