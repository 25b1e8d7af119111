// Ferry: offline-first sync for Parse Server. MIT licence.

import CJSON
package import Foundation

/// The one reader for everything that a server sends.
///
/// It keeps its buffers from document to document. Use one per thread; it is not sendable.
package final class JSONReader {
  /// The limits of a document; the reader refuses a larger one instead of growing.
  package struct Limits: Hashable, Sendable {
    /// The greatest size of a document in bytes.
    package var bytes = 64 << 20
    /// The greatest nesting; a page of records needs three levels, and its values add theirs.
    package var depth = 128

    package init() {}
  }

  /// Nil where memory had run out; each document is then refused for that.
  private let parser: OpaquePointer?
  private let limits: Limits

  /// Makes a reader with room for small documents.
  package init(limits: Limits = Limits()) {
    // simdjson counts the document itself as a level.
    parser = cjson_create(max(limits.bytes, 0), max(limits.depth, 0) + 1)
    self.limits = limits
  }

  deinit {
    if let parser { cjson_destroy(parser) }
  }

  /// Parses bytes and passes the document's root to `body`.
  package func read<Answer>(_ bytes: Data, _ body: (JSONElement) throws -> Answer) throws -> Answer
  {
    try read(source: bytes.withUnsafeBytes { parse($0) }, body)
  }

  /// Parses bytes and passes the document's root to `body`.
  package func read<Answer>(
    _ bytes: UnsafeRawBufferPointer, _ body: (JSONElement) throws -> Answer
  ) throws -> Answer {
    try read(source: parse(bytes), body)
  }

  /// Parses bytes and passes the document's root to `body`, which cannot fail.
  package func document<Answer>(
    _ bytes: Data, _ body: (JSONElement) -> Answer
  ) throws(JSONError) -> Answer {
    let root = try root(bytes.withUnsafeBytes { parse($0) })
    defer { withExtendedLifetime(self) {} }
    return body(root)
  }

  /// The text that was read last, even if parsing failed; valid until the next call.
  package var source: UnsafeBufferPointer<UInt8> {
    guard let parser else { return UnsafeBufferPointer(start: nil, count: 0) }
    var length = 0
    let start = cjson_source(parser, &length)
    return UnsafeBufferPointer(start: start, count: length)
  }

  /// The tokens of the document that was read last; valid until the next call.
  var tokens: JSONTokens? {
    guard let parser else { return nil }
    var count = 0
    let start = cjson_tokens(parser, &count)
    return JSONTokens(text: source, starts: UnsafeBufferPointer(start: start, count: count))
  }

  /// A value of the document that was read last, by its position on the tape; valid until the next call.
  func element(at index: Int) -> JSONElement? {
    guard let parser, let tape = cjson_tape(parser), let strings = cjson_strings(parser) else {
      return nil
    }
    return JSONElement(tape: tape, strings: strings, index: index)
  }

  private func parse(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    parser.map { cjson_parse($0, bytes.baseAddress, bytes.count) } ?? Int32(CJSON_NO_MEMORY)
  }

  private func read<Answer>(
    source code: Int32, _ body: (JSONElement) throws -> Answer
  ) throws -> Answer {
    let root = try root(code)
    defer { withExtendedLifetime(self) {} }
    return try body(root)
  }

  /// The root of the document last parsed; valid until the next one.
  private func root(_ code: Int32) throws(JSONError) -> JSONElement {
    guard code == CJSON_OK, let parser, let tape = cjson_tape(parser),
      let strings = cjson_strings(parser)
    else { throw failure(code) }
    return JSONElement(tape: tape, strings: strings, index: 1)
  }
}

extension JSONReader {
  private func failure(_ code: Int32) -> JSONError {
    switch Int(code) {
    case CJSON_EMPTY: return JSONError(.empty, "is empty")
    case CJSON_TOO_LARGE:
      return JSONError(.tooLarge, "is longer than the \(limits.bytes) bytes allowed")
    case CJSON_TOO_DEEP:
      return JSONError(.tooDeep, "is nested deeper than the \(limits.depth) levels allowed")
    case CJSON_NO_MEMORY:
      return JSONError(.outOfMemory, "could not be read because memory is short")
    case CJSON_BAD_UTF8: return JSONError(.notUTF8, "holds bytes that are not UTF-8")
    default: return malformed(Int(code))
    }
  }

  /// Distinguishes a text that ends too early from a text with errors, because the remedies differ.
  private func malformed(_ code: Int) -> JSONError {
    var scanner = JSONScanner(source, 0..<source.count)
    if scanner.skipValue() == .endOfText {
      return JSONError(.cutShort, "ends before it is complete, after \(source.count) bytes")
    }
    switch code {
    case CJSON_BAD_STRING: return JSONError(.badString, "holds a string that is not well formed")
    case CJSON_BAD_NUMBER:
      return JSONError(.badNumber, "holds a number that is not well formed or too large")
    default:
      return JSONError(.badStructure, "has a bracket, comma or word where none may be")
    }
  }
}
