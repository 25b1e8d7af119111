// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// How the body of a request is read.
extension LoopbackBackend {
  /// A body is JSON whatever type it says it has, except a form's, which another reader takes first.
  mutating func readBody(_ request: LoopbackRequest) throws(Refusal) -> LoopbackValue {
    try Self.checkEncoding(request)
    guard request.body.count <= configuration.maxUploadSize else {
      throw .http(413, "request entity too large")
    }
    let type = request.headers["Content-Type"] ?? ""
    if type.lowercased().hasPrefix("application/x-www-form-urlencoded"), !request.body.isEmpty {
      report(
        .formContentType, request.description,
        "The body has the content type of a form, not of JSON.")
      return .object(Self.texts(of: String(decoding: request.body, as: UTF8.self)))
    }
    return try Self.json(request.body)
  }

  private static func json(_ bytes: [UInt8]) throws(Refusal) -> LoopbackValue {
    guard !bytes.isEmpty else { return [:] }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    do throws(JSONReadError) {
      let value = try JSONReader.value(of: bytes.starts(with: mark) ? Array(bytes[3...]) : bytes)
      switch value {
      case .object: return value
      case .array(let elements): return indexed(elements)
      case .null, .bool, .number, .string:
        throw JSONReadError(reason: "Unexpected token", position: 0)
      }
    } catch {
      throw .http(400, error.sentence)
    }
  }

  /// An array is an object to JavaScript, and its places are the names.
  static func indexed(_ elements: [LoopbackValue]) -> LoopbackValue {
    .object(
      Dictionary(uniqueKeysWithValues: elements.enumerated().map { (String($0), $1) }))
  }

  private static func checkEncoding(_ request: LoopbackRequest) throws(Refusal) {
    guard !request.body.isEmpty else { return }
    let type = request.headers["Content-Type"]?.lowercased() ?? ""
    if type != "application/json",
      let name = type.components(separatedBy: "charset=").dropFirst().first,
      !name.hasPrefix("utf-")
    {
      throw .http(415, "unsupported charset \"\(name.uppercased())\"")
    }
    switch request.headers["Content-Encoding"]?.lowercased() ?? "identity" {
    case "identity": return
    case "gzip", "deflate", "br": throw .http(400, "incorrect header check")
    case let name: throw .http(415, "unsupported content encoding \"\(name)\"")
    }
  }
}
