// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import Foundation

/// The part of an answer that has arrived, and its limits.
///
/// A pure value that takes bytes and says whether more may come. It counts unpacked bytes, because
/// libcurl's own limit knows only sizes that the server announces.
struct AnswerBuffer {
  /// A limit that the answer exceeded.
  enum Breach: Hashable {
    case body, headers
  }

  private(set) var headers = HTTPHeaders()
  private(set) var body = Data()
  private(set) var breach: Breach?
  private let limits: HTTPLimits
  private let heldBytes: Int
  private var headerBytes = 0
  private(set) var headersEnded = false

  init(for request: HTTPRequest) {
    limits = request.limits
    heldBytes = request.heldBytes
  }

  /// Takes one header line with its line break; false ends the transfer.
  mutating func takeHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Interim answers count too; otherwise a server could send them forever.
    headerBytes += bytes.count
    guard headerBytes <= limits.headerBytes else {
      breach = .headers
      return false
    }
    // Header lines after the body are trailers of its last chunk; they do not replace the headers.
    guard body.isEmpty else { return true }
    let line = String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      headers = HTTPHeaders()
      headersEnded = false
    } else if let colon = line.firstIndex(of: ":") {
      headers.add(
        name: String(line[..<colon]),
        value: line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines))
    } else if bytes.count <= 2 {
      headersEnded = true
    }
    return true
  }

  /// Takes a part of the unpacked body; false ends the transfer.
  mutating func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= heldBytes - body.count else {
      breach = .body
      return false
    }
    if body.isEmpty { body.reserveCapacity(expectedBytes) }
    body.append(contentsOf: bytes)
    return true
  }

  /// How much memory to reserve: the size that the server announces, up to a plausible size.
  private var expectedBytes: Int {
    min(headers["Content-Length"].flatMap(Int.init) ?? 0, heldBytes, 32 << 20)
  }
}
