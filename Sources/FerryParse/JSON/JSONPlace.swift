// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// A position in a text that a person wrote, for error messages.
package struct JSONPlace: Hashable, Sendable {
  /// The line, counted from 1.
  package var line: Int
  /// The column in bytes, counted from 1.
  package var column: Int

  init(_ offset: Int, in text: UnsafeBufferPointer<UInt8>) {
    let before = text[..<min(offset, text.count)]
    line = 1 + before.count { $0 == UInt8(ascii: "\n") }
    column = 1 + before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
  }

  /// The position at which a text stops being JSON, and what is expected there; nil if all of it is
  /// JSON.
  package static func firstFault(in text: Data) -> (place: JSONPlace, expected: String)? {
    text.withUnsafeBytes { bytes in
      var syntax = JSONSyntax(bytes.bindMemory(to: UInt8.self))
      guard !syntax.check() else { return nil }
      return (JSONPlace(syntax.position, in: syntax.bytes), "\(syntax.expected)")
    }
  }

  /// The position of the value at a path of keys, from the outermost object on; nil if there is
  /// none.
  package static func ofValue(at path: [String], in text: Data) -> JSONPlace? {
    text.withUnsafeBytes { bytes in
      let text = bytes.bindMemory(to: UInt8.self)
      var scanner = JSONScanner(text, 0..<text.count)
      guard case .value(var range) = scanner.skipValue() else { return nil }
      for key in path {
        guard let members = JSONScanner.members(of: range, in: text),
          let member = members.last(where: { text[$0.key].elementsEqual(key.utf8) })
        else { return nil }
        range = member.value
      }
      return JSONPlace(range.lowerBound, in: text)
    }
  }
}
