// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A request as it arrived.
package struct WireRequest: Sendable {
  package let connection: Int
  package let requestLine: String
  package let head: String
  package let body: [UInt8]

  /// Takes a complete request from the front of a buffer; nil while it is incomplete.
  init?(takenFrom buffer: inout [UInt8], connection: Int) {
    guard let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
    let length = Self.value("Content-Length", in: head).flatMap(Int.init) ?? 0
    guard buffer.count - end.upperBound >= length else { return nil }
    body = Array(buffer[end.upperBound..<(end.upperBound + length)])
    buffer.removeFirst(end.upperBound + length)
    self.head = head
    requestLine = String(head.prefix { $0 != "\r\n" })
    self.connection = connection
  }

  /// The value of a header, or nil.
  package func value(_ name: String) -> String? { Self.value(name, in: head) }

  /// How often the request contains a header.
  package func count(_ name: String) -> Int { Self.values(name, in: head).count }

  private static func value(_ name: String, in head: String) -> String? {
    values(name, in: head).first
  }

  private static func values(_ name: String, in head: String) -> [String] {
    head.split(separator: "\r\n").dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased()
      else { return nil }
      return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
  }
}
