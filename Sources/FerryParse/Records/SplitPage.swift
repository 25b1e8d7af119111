// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation

/// A page cut into the texts of its rows, valid or not.
struct SplitPage {
  let text: UnsafeBufferPointer<UInt8>
  let rows: [Range<Int>]
  let count: Int?

  /// Splits a page that the parser has read, without its count.
  init?(_ tokens: JSONTokens) {
    guard let rows = tokens.elements(ofMember: "results") else { return nil }
    (text, count) = (tokens.text, nil)
    self.rows = rows
  }

  init?(_ text: UnsafeBufferPointer<UInt8>) {
    // The rows are nearly all of the text, so they are found while the page is looked through once.
    var scanner = JSONScanner(text, 0..<text.count)
    var rows: [Range<Int>]?
    var count: Range<Int>?
    let isComplete = scanner.members { scanner, key in
      if rows == nil, JSONScanner.spells(key, "results", in: text) {
        rows = scanner.elements()
        return rows != nil
      }
      guard case .value(let value) = scanner.skipValue() else { return false }
      if count == nil, JSONScanner.spells(key, "count", in: text) { count = value }
      return true
    }
    guard isComplete, scanner.peek() == nil, let rows else { return nil }
    self.text = text
    self.rows = rows
    self.count = count.flatMap { Double(String(decoding: text[$0], as: UTF8.self)) }
      .flatMap { Int(exactly: $0) }
  }

  /// Splits a page that the parser refused, unless the reason concerns the whole page.
  init(
    salvaging text: UnsafeBufferPointer<UInt8>, after error: JSONError
  ) throws(PageError) {
    switch error.code {
    case .empty, .cutShort: throw PageError(.cutShort, "The page \(error.reason).")
    case .tooLarge, .outOfMemory: throw PageError(.tooLarge, "The page \(error.reason).")
    default: break
    }
    guard let split = SplitPage(text) else { throw PageError.malformed }
    self = split
  }

  func failure(row: Int, reason: String) -> RecordFailure {
    let range = rows[row]
    return RecordFailure(
      objectID: string("objectId", ofRow: row),
      version: string("updatedAt", ofRow: row).map(ServerVersion.init(rawValue:)),
      createdAt: string("createdAt", ofRow: row).flatMap { Timestamp($0) },
      json: Data(text[range]), reason: reason)
  }

  /// The place of the last row that shows one.
  var lastKey: ParsePage.Key? { rows.indices.reversed().lazy.compactMap(key).first }

  /// The id of the last row that shows one.
  var lastObjectID: String? {
    rows.indices.reversed().lazy.compactMap { string("objectId", ofRow: $0) }.first
  }

  func key(ofRow row: Int) -> ParsePage.Key? {
    ParsePage.Key(string("updatedAt", ofRow: row), string("objectId", ofRow: row))
  }

  /// A member's text, if it is a string without escapes and in UTF-8.
  private func string(_ name: StaticString, ofRow row: Int) -> String? {
    let members = JSONScanner.members(of: rows[row], in: text) ?? []
    let found = members.filter { JSONScanner.spells($0.key, name, in: text) }
    guard found.count == 1, let range = found.first?.value, range.count > 2,
      text[range.lowerBound] == UInt8(ascii: "\"")
    else { return nil }
    let inside = text[range.dropFirst().dropLast()]
    guard !inside.contains(UInt8(ascii: "\\")) else { return nil }
    return String(validating: inside, as: UTF8.self)
  }
}
