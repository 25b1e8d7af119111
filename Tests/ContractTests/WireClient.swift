// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation

/// Why a request could not be sent or its answer could not be read.
struct ContractPlayError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// An answer as it arrived; header names are in lower case.
struct WireAnswer: Sendable {
  var status: Int
  var headers: [String: String]
  var body: [UInt8]
}

/// An HTTP client that sends exactly the given bytes, even if no library would.
///
/// Each request has its own connection. The answer ends where the server says, or where it closes
/// the connection.
struct WireClient: Sendable {
  let port: UInt16

  func send(
    _ method: String, _ path: String, _ headers: [String: String], _ body: [UInt8]
  ) async throws -> WireAnswer {
    var fields = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
    if headers["Transfer-Encoding"] == nil, !body.isEmpty || method == "POST" || method == "PUT" {
      fields["Content-Length"] = String(body.count)
    }
    fields.merge(headers) { _, given in given }
    let head = fields.sorted { $0.key < $1.key }.map { "\($0): \($1)\r\n" }.joined()
    let bytes = Array("\(method) \(path) HTTP/1.1\r\n\(head)\r\n".utf8) + body
    return try await onOwnThread { try exchange(bytes, hasBody: method != "HEAD") }
  }

  /// Sends bytes and reads until the answer is complete or the server closes the connection.
  private func exchange(_ bytes: [UInt8], hasBody: Bool) throws -> WireAnswer {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw ContractPlayError("No socket can be opened.") }
    defer { close(socket) }
    var wait = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw ContractPlayError("Nobody answers at port \(port).") }
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      // A server may refuse a body before it has received all of it; its answer can still be read.
      guard count > 0 else { break }
      sent += count
    }
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(socket, &piece, piece.count, 0)
      answer += piece[..<max(count, 0)]
      if let whole = try Self.read(answer, hasBody: hasBody, isOver: count <= 0) { return whole }
    }
  }

  /// Reads an answer; nil while it is incomplete.
  private static func read(
    _ bytes: [UInt8], hasBody: Bool, isOver: Bool
  ) throws -> WireAnswer? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
      guard isOver else { return nil }
      throw ContractPlayError("The connection ended without an answer.")
    }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(
      separatedBy: "\r\n")
    guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw ContractPlayError("“\(lines[0])” is no answer of HTTP.")
    }
    let rest = Array(bytes[end.upperBound...])
    if status < 200 { return try read(rest, hasBody: hasBody, isOver: isOver) }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2 else { continue }
      headers[halves[0].lowercased()] = halves[1].trimmingCharacters(in: .whitespaces)
    }
    var answer = WireAnswer(status: status, headers: headers, body: [])
    guard hasBody, status != 304 else { return answer }
    if headers["transfer-encoding"]?.lowercased() == "chunked" {
      guard isOver || rest.suffix(5).elementsEqual("0\r\n\r\n".utf8) else { return nil }
      answer.body = unchunked(rest[...])
    } else {
      let length = headers["content-length"].flatMap { Int($0) } ?? .max
      guard isOver || rest.count >= length else { return nil }
      answer.body = Array(rest.prefix(length))
    }
    return answer
  }

  private static func unchunked(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var rest = bytes
    var body: [UInt8] = []
    while let line = rest.firstRange(of: Array("\r\n".utf8)),
      let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16), size > 0
    {
      body += rest[line.upperBound...].prefix(size)
      rest = rest[line.upperBound...].dropFirst(size + 2)
    }
    return body
  }
}
