// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
package import LoopbackParse

/// A test's direct access to the server's rows, with every right, on either server.
extension TestServer {
  /// The fields of a row, as on the wire.
  package typealias Row = [String: LoopbackValue]

  /// A request with the master key, unless it has other headers.
  package struct Call: Sendable {
    package var method: HTTPMethod
    package var path: String
    package var body: LoopbackValue
    package var headers: HTTPHeaders

    package init(
      _ method: HTTPMethod, _ path: String, _ body: LoopbackValue = [:],
      headers: HTTPHeaders = TestServer.master
    ) {
      self.method = method
      self.path = path
      self.body = body
      self.headers = headers
    }
  }

  package static let anyone: HTTPHeaders = ["X-Parse-Application-Id": "app1"]
  package static let master = anyone.adding("X-Parse-Master-Key", "mk")
  private static let maintenance = anyone.adding("X-Parse-Maintenance-Key", "maintenance")

  /// Sends a request and returns the content of a success.
  @discardableResult
  package func send(
    _ method: HTTPMethod, _ path: String, _ body: LoopbackValue = [:],
    headers: HTTPHeaders = TestServer.master
  ) throws -> LoopbackValue {
    try answer(Call(method, path, body, headers: headers)).success
  }

  // MARK: Rows

  /// Creates a row; returns its id.
  @discardableResult
  package func create(_ className: String, _ row: LoopbackValue) throws -> String {
    try create(className, [row.object ?? [:]])[0]
  }

  /// Creates rows; returns their ids, in the same order.
  @discardableResult
  package func create(_ className: String, _ rows: [Row]) throws -> [String] {
    try create(className, rows, Self.master)
  }

  /// Creates rows with given dates of creation and update, as `{"__type":"Date",…}`.
  package func load(_ className: String, _ rows: [Row]) throws -> [String] {
    try loadIntoDouble(className, rows) ?? create(className, rows, Self.maintenance)
  }

  private func create(
    _ className: String, _ rows: [Row], _ headers: HTTPHeaders
  ) throws -> [String] {
    let calls = rows.map { Call(.post, "/classes/\(className)", .object($0), headers: headers) }
    // The first row creates the class and its columns, for which fifty rows at once would compete.
    let answers = try carryOut(Array(calls.prefix(1))) + carryOut(Array(calls.dropFirst()))
    return answers.map { $0["objectId"]?.string ?? "" }
  }

  /// Changes fields of a row.
  package func update(_ className: String, _ id: String, _ changes: LoopbackValue) throws {
    _ = try carryOut([Call(.put, "/classes/\(className)/\(id)", changes)])
  }

  /// Changes fields of rows, by id.
  package func update(_ className: String, _ changes: [String: Row]) throws {
    _ = try carryOut(changes.map { Call(.put, "/classes/\(className)/\($0)", .object($1)) })
  }

  /// Deletes rows.
  package func delete(_ className: String, _ ids: some Sequence<String>) throws {
    _ = try carryOut(ids.map { Call(.delete, "/classes/\(className)/\($0)") })
  }

  /// All rows of a class as the server sends them, by id.
  package func rows(of className: String) throws -> [String: Row] {
    var rows: [String: Row] = [:]
    var last: String?
    while true {
      var body: Row = ["_method": "GET", "order": "objectId", "limit": 1000]
      if let last { body["where"] = ["objectId": ["$gt": .string(last)]] }
      let answer = try send(.post, "/classes/\(className)", .object(body))
      let page = answer["results"]?.array?.compactMap(\.object) ?? []
      for row in page { rows[row["objectId"]?.string ?? ""] = row }
      guard let end = page.last?["objectId"]?.string, end != last else { return rows }
      last = end
    }
  }

  /// One row; nil if there is none.
  package func row(_ className: String, _ id: String) throws -> Row? {
    try rows(of: className)[id]
  }

  /// The number of rows of a class.
  package func count(of className: String) throws -> Int { try rows(of: className).count }

  /// Carries out any number of writes, fifty in a request; all must succeed.
  private func carryOut(_ calls: [Call]) throws -> [LoopbackValue] {
    guard takesBatches, calls.count > 1 else { return try answers(calls).map { try $0.success } }
    let batches = stride(from: 0, to: calls.count, by: 50).map { start in
      let items = calls[start..<min(start + 50, calls.count)].map { call -> LoopbackValue in
        [
          "method": .string(call.method.rawValue), "path": .string("/parse" + call.path),
          "body": call.body,
        ]
      }
      return Call(.post, "/batch", ["requests": .array(items)], headers: calls[0].headers)
    }
    return try answers(batches).flatMap { answer in
      try (answer.success.array ?? []).map { item in
        guard let success = item["success"] else { throw TestServerError(item.text) }
        return success
      }
    }
  }
}

/// The server did not do what a test asked it to do directly.
package struct TestServerError: Error, CustomStringConvertible {
  package var description: String

  init(_ description: String) { self.description = description }
}

extension LoopbackResponse {
  fileprivate var success: LoopbackValue {
    get throws {
      guard (200...299).contains(status), let json else {
        throw TestServerError("HTTP \(status): \(text)")
      }
      return json
    }
  }
}

extension HTTPHeaders {
  fileprivate func adding(_ name: String, _ value: String) -> HTTPHeaders {
    var headers = self
    headers[name] = value
    return headers
  }
}
