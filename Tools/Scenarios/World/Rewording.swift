// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse

/// The same JSON in other words, as another server or another read of the same row may say it.
enum Rewording {
  /// Keys in the reverse of their order, whole numbers with a fraction of zero, files at another place.
  static func reworded(_ body: Data) -> Data {
    guard let value = try? LoopbackValue(json: Array(body)) else { return body }
    return Data(text(of: value).utf8)
  }

  private static func text(of value: LoopbackValue) -> String {
    switch value {
    case .null, .bool, .string: return value.text
    case .number(let number):
      return Int64(exactly: number).map { "\($0).0" } ?? value.text
    case .array(let elements):
      return "[" + elements.map { text(of: $0) }.joined(separator: ",") + "]"
    case .object(var members):
      if members["__type"] == "File" {
        members["url"] = .string("http://elsewhere/\(members.count)")
      }
      let pairs = members.sorted { $0.key > $1.key }.map { key, value in
        "\(LoopbackValue.string(key).text):" + text(of: value)
      }
      return "{" + pairs.joined(separator: ",") + "}"
    }
  }
}
