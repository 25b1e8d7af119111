// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryCurl
package import FerryHTTP
package import Foundation
package import LoopbackParse

/// A test's direct access to a server, with the master key.
///
/// The double's code reads and writes the JSON, not Ferry's, so that a mistake in Ferry cannot
/// cancel itself out.
package struct RealServerAccess: Sendable {
  /// The fields of a row, as on the wire.
  package typealias Row = [String: LoopbackValue]

  private let url: URL
  private let transport = CurlTransport()

  package init(_ server: RealServer) { self.init(server.url) }

  /// Accesses any server with the same keys, also the double.
  package init(_ url: URL) { self.url = url }

  /// Sends one request and returns the content of a success.
  package func send(
    _ method: HTTPMethod, _ path: String, _ body: LoopbackValue? = nil, headers: HTTPHeaders
  ) async throws -> LoopbackValue {
    let request = try request(method, path, body, headers)
    let transport = transport
    let response = try await onOwnThread { try transport.send(request) }
    return try Self.answer(response)
  }

  /// Calls a function of Cloud Code as a client without a login; returns its result.
  package func call(_ function: String, _ parameters: Row) async throws -> LoopbackValue {
    let answer = try await send(
      .post, "/functions/\(function)", .object(parameters),
      headers: ["X-Parse-Application-Id": "app1"])
    return answer["result"] ?? .null
  }

  /// Declares a class, so that all its fields have types before the first row.
  package func createClass(_ name: String, _ fields: Row) async throws {
    let body: LoopbackValue = ["className": .string(name), "fields": .object(fields)]
    _ = try await send(.post, "/schemas/\(name)", body, headers: Self.master)
  }

  /// The fields of all classes, by class; a plan must not change them.
  package func classes() async throws -> Row {
    let list = try await send(.get, "/schemas", headers: Self.master)["results"]?.array ?? []
    let named = list.map { ($0["className"]?.string ?? "", $0["fields"] ?? .null) }
    return Dictionary(named, uniquingKeysWith: { first, _ in first })
  }

  /// Creates rows; returns their ids, in the same order.
  ///
  /// If rows give `createdAt` and `updatedAt` as dates, this writes them with the maintenance key.
  package func create(_ className: String, _ rows: [Row]) async throws -> [String] {
    let answers = try await batch(rows.map { ("POST", "/classes/\(className)", $0) })
    return answers.map { $0["objectId"]?.string ?? "" }
  }

  /// Changes fields of rows, by id.
  package func update(_ className: String, _ changes: [String: Row]) async throws {
    _ = try await batch(changes.map { ("PUT", "/classes/\(className)/\($0)", $1) })
  }

  /// Deletes rows.
  package func delete(_ className: String, _ objectIDs: some Sequence<String>) async throws {
    _ = try await batch(objectIDs.map { ("DELETE", "/classes/\(className)/\($0)", [:]) })
  }

  /// All rows of a class as the server sends them, by id.
  package func rows(of className: String) async throws -> [String: Row] {
    var rows: [String: Row] = [:]
    var last: String?
    while true {
      var body: Row = ["_method": "GET", "order": "objectId", "limit": 1000]
      if let last { body["where"] = ["objectId": ["$gt": .string(last)]] }
      let answer = try await send(
        .post, "/classes/\(className)", .object(body), headers: Self.master)
      let page = answer["results"]?.array?.compactMap(\.object) ?? []
      for row in page { rows[row["objectId"]?.string ?? ""] = row }
      guard let end = page.last?["objectId"]?.string, end != last else { return rows }
      last = end
    }
  }

  /// The server's version, such as `9.10.0`.
  package func version() async throws -> String {
    let info = try await send(.get, "/serverInfo", headers: Self.master)
    return info["parseServerVersion"]?.string ?? ""
  }

  package static let master: HTTPHeaders = [
    "X-Parse-Application-Id": "app1", "X-Parse-Master-Key": "mk",
  ]
}

extension RealServerAccess {
  private static let maintenance: HTTPHeaders = [
    "X-Parse-Application-Id": "app1", "X-Parse-Maintenance-Key": "maintenance",
  ]

  private typealias Operation = (method: String, path: String, body: Row)

  /// Sends any number of operations, fifty in a request; all must succeed.
  private func batch(_ operations: [Operation]) async throws -> [LoopbackValue] {
    let dated = operations.contains { $0.body["createdAt"] != nil }
    let requests = try stride(from: 0, to: operations.count, by: 50).map { start in
      let items = operations[start..<min(start + 50, operations.count)].map { item in
        LoopbackValue.object([
          "method": .string(item.method), "path": .string("/parse" + item.path),
          "body": .object(item.body),
        ])
      }
      return try request(
        .post, "/batch", ["requests": .array(items)],
        dated ? Self.maintenance : Self.master)
    }
    let transport = transport
    let responses = try await onOwnThread { try transport.sendAll(requests).map { try $0.get() } }
    return try responses.flatMap { response in
      try Self.answer(response).array?.map { item in
        guard let success = item["success"] else { throw RealServerError(item.text) }
        return success
      } ?? []
    }
  }

  private func request(
    _ method: HTTPMethod, _ path: String, _ body: LoopbackValue?, _ headers: HTTPHeaders
  ) throws -> HTTPRequest {
    guard let url = URL(string: url.absoluteString + path) else {
      throw RealServerError("\(path) is no path.")
    }
    return HTTPRequest(method, url, headers: headers, body: Data((body?.text ?? "").utf8))
  }

  private static func answer(_ response: HTTPResponse) throws -> LoopbackValue {
    guard (200...299).contains(response.status) else {
      let text = String(decoding: response.body, as: UTF8.self)
      throw RealServerError("HTTP \(response.status): \(text)")
    }
    return try LoopbackValue(json: Array(response.body))
  }
}
