// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation
import Randomness

/// Makes JSON documents from a seed: every kind of value, escape and spacing, without repeated
/// keys.
struct JSONTextGenerator {
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func document() -> String {
    value(depth: 0)
  }

  /// The text with a few bytes changed, removed or cut off.
  mutating func damaged(_ text: Data) -> Data {
    var text = text
    for _ in 0..<Int.random(in: 1...3, using: &random) where !text.isEmpty {
      let place = Int.random(in: 0..<text.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: text[place] = UInt8.random(in: 0...255, using: &random)
      case 1: text.remove(at: place)
      case 2: text = text.prefix(place)
      default: text[place] = UInt8(ascii: "\"")
      }
    }
    return text
  }

  private mutating func value(depth: Int) -> String {
    let space = ["", "", " ", "\n\t"].randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<(depth > 4 ? 5 : 8), using: &random) {
    case 0: return space + "null"
    case 1: return space + (Bool.random(using: &random) ? "true" : "false")
    case 2: return space + String(Int64.random(in: -(1 << 53)...(1 << 53), using: &random))
    // Only a few binary digits after the point: Foundation's older reader rounds longer ones
    // wrongly.
    case 3:
      return space + "\(Double(Int64.random(in: -(1 << 24)...(1 << 24), using: &random)) / 64)"
    case 4: return space + string()
    case 5, 6:
      let count = Int.random(in: 0..<5, using: &random)
      return space + "[" + (0..<count).map { _ in value(depth: depth + 1) }.joined(separator: ",")
        + "]"
    default:
      let keys = (0..<Int.random(in: 0..<5, using: &random)).map { "\"k\($0)\"" }
      return space + "{"
        + keys.map { "\($0)\(space):\(value(depth: depth + 1))" }.joined(separator: ",") + "}"
    }
  }

  private mutating func string() -> String {
    let pieces = [
      "a", "Zoë", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\ud83d\\ude00", "\u{1F3C6}", "東", " ",
      "{", "]", ",",
    ]
    let count = Int.random(in: 0..<8, using: &random)
    return "\"" + (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      + "\""
  }
}
