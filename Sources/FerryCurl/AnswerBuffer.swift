// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import Foundation

/// What has come of one answer so far, and the ceilings it must stay under.
///
/// A pure value: bytes in, and whether more may come out. The bytes are counted here, where they are
/// unpacked already: libcurl's own ceiling knows only sizes that the server tells.
struct AnswerBuffer {
  /// A ceiling that was passed.
  enum Breach: Hashable {
    case body, headers
  }

  private(set) var headers = HTTPHeaders()
  private(set) var body = Data()
  private(set) var breach: Breach?
  private let limits: HTTPLimits
  private var headerBytes = 0
  private(set) var headersEnded = false

  init(limits: HTTPLimits) {
    self.limits = limits
  }

  /// Takes one header line, with its line break; false to end the transfer.
  mutating func takeHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Interim answers count too, or a server could send them for ever.
    headerBytes += bytes.count
    guard headerBytes <= limits.headerBytes else {
      breach = .headers
      return false
    }
    // What comes behind the body, in its last chunk, is not what the server said first.
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

  /// Takes a part of the body, unpacked; false to end the transfer.
  mutating func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= limits.bodyBytes - body.count else {
      breach = .body
      return false
    }
    if body.isEmpty { body.reserveCapacity(expectedBytes) }
    body.append(contentsOf: bytes)
    return true
  }

  /// How much to make room for at once: what the server tells, as far as it can be believed.
  private var expectedBytes: Int {
    min(headers["Content-Length"].flatMap(Int.init) ?? 0, limits.bodyBytes, 32 << 20)
  }
}
