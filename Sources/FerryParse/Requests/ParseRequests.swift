// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
import FerryModel
package import Foundation

/// Makes Ferry's requests as values; it sends nothing.
///
/// Each request contains the session token of the moment when it is made, so make requests right
/// before sending them.
package struct ParseRequests: Sendable {
  package let server: ParseServer
  package let limits: HTTPLimits

  /// The greatest answer to a query for one row, in bytes.
  ///
  /// A server accepts requests of 20 MB by default, and so no larger row.
  package static let mostBytesOfOneRow = 24 << 20

  package init(_ server: ParseServer, limits: HTTPLimits = HTTPLimits()) {
    self.server = server
    self.limits = limits
  }

  // MARK: Reading

  /// Queries rows by a POST, so that the address needs no room for the constraint.
  package func find(
    _ className: String, _ query: ParseQuery
  ) throws(RequestError) -> HTTPRequest {
    var body = query.parameters
    body["_method"] = "GET"
    var request = request(.post, try ParsePath(className: className), body, isWrite: false)
    if query.limit == 1 {
      request.limits.bodyBytes = max(limits.bodyBytes, Self.mostBytesOfOneRow)
    }
    return request
  }

  /// Queries the number of matching rows.
  package func count(
    _ className: String, where constraint: ParseConstraint
  ) throws(RequestError) -> HTTPRequest {
    try find(className, ParseQuery(constraint, limit: 0, counts: true))
  }

  /// Sends several queries in one request; the answers are in their order.
  package func batch(
    reading queries: [(className: String, query: ParseQuery)]
  ) throws(RequestError) -> HTTPRequest {
    var items: [Value] = []
    for (className, query) in queries {
      let path = try ParsePath(className: className)
      items.append(item(.get, path, query.parameters))
    }
    return try batch(items, isWrite: false)
  }

  // MARK: Writing

  /// Makes a single write.
  package func write(_ operation: WriteOperation) throws(RequestError) -> HTTPRequest {
    request(operation.method, try operation.path(), operation.body, isWrite: true)
  }

  /// The greatest number of writes in one batch.
  package static let mostWrites = 50

  /// Sends several writes in one request; the server runs them at once and in no order.
  package func batch(writing operations: [WriteOperation]) throws(RequestError) -> HTTPRequest {
    guard operations.count <= Self.mostWrites else {
      throw RequestError(
        code: .batchSize,
        message: "A batch of \(operations.count) writes is more than \(Self.mostWrites). "
          + "Nothing was sent.")
    }
    var items: [Value] = []
    var paths = Set<ParsePath>()
    for operation in operations {
      if let objectID = operation.objectID {
        let path = try ParsePath(className: operation.className, objectID: objectID)
        guard paths.insert(path).inserted else {
          throw RequestError(
            code: .sameObjectTwice,
            message: "A batch has two operations on \(operation.className) \(objectID), and the "
              + "server keeps no order within a batch. Nothing was sent.")
        }
      }
      items.append(item(operation.method, try operation.path(), operation.body))
    }
    return try batch(items, isWrite: true)
  }

  // MARK: The server

  package func health() -> HTTPRequest { get(.health) }

  /// Needs the master key.
  package func serverInfo() -> HTTPRequest { get(.serverInfo) }

  /// Asks Ferry's Cloud Code to describe itself; it changes nothing.
  package func serverModule() -> HTTPRequest {
    request(.post, .serverModule, [:], isWrite: false)
  }

  /// The greatest number of ids in a request to Ferry's Cloud Code and in an answer of its, as the module has it.
  package static let mostModuleIDs = 1000
  /// The greatest length of such an id in UTF-8, as the module has it.
  package static let longestModuleID = 200
  /// The greatest size of such an answer in bytes; a full one has a fifth of it.
  private static let mostModuleBytes = 1 << 20

  /// Asks the deletion log of Ferry's Cloud Code; it changes nothing.
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - place: The place from which to read on; nil for the place to begin with.
  /// - Returns: The request.
  package func deletions(of className: String, since place: String?) -> HTTPRequest {
    var parameters: [String: Value] = [
      "class": .string(className), "limit": .integer(Int64(Self.mostModuleIDs)),
    ]
    if let place { parameters["since"] = .string(place) }
    return question(to: .deletions, parameters)
  }

  /// Asks Ferry's Cloud Code which records are gone; it changes nothing.
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - objectIDs: The records, at most ``mostModuleIDs`` of at most ``longestModuleID`` bytes.
  /// - Returns: The request.
  package func removed(of className: String, among objectIDs: [String]) -> HTTPRequest {
    question(
      to: .removed,
      ["class": .string(className), "ids": .array(objectIDs.map(Value.string))])
  }

  /// A question to a function of Ferry's Cloud Code, whose answer is bounded.
  private func question(to path: ParsePath, _ parameters: [String: Value]) -> HTTPRequest {
    var request = request(.post, path, parameters, isWrite: false)
    request.limits.bodyBytes = Self.mostModuleBytes
    return request
  }

  /// Needs the master key.
  package func schemas() -> HTTPRequest { get(.schemas) }

  /// The name of the download index; on PostgreSQL, the index names of all classes share one
  /// namespace.
  package static func indexName(_ className: String) -> String { "\(className)_sync" }

  /// The body for `/schemas` that makes an index in the order of a download; the order of its
  /// fields matters.
  package static func indexBody(_ className: String) -> String {
    #"{"className":"\#(className)","indexes":{"\#(indexName(className))":{"updatedAt":1,"objectId":1}}}"#
  }

  /// Makes an index in the order of a download; needs the master key and PostgreSQL.
  package func makeIndex(_ className: String) throws(RequestError) -> HTTPRequest {
    var put = request(.put, try ParsePath(schemaOf: className), nil, isWrite: true)
    put.body = Data(Self.indexBody(className).utf8)
    return put
  }

  /// Removes a class that has no rows; needs the master key.
  package func removeClass(_ className: String) throws(RequestError) -> HTTPRequest {
    request(.delete, try ParsePath(schemaOf: className), nil, isWrite: true)
  }
}

extension ParseRequests {
  func get(_ path: ParsePath) -> HTTPRequest {
    request(.get, path, nil, isWrite: false)
  }

  func request(
    _ method: HTTPMethod, _ path: ParsePath, _ body: [String: Value]?, isWrite: Bool
  ) -> HTTPRequest {
    var json = WireJSON(reserving: body == nil ? 0 : 1024)
    if let body { json.write(.object(body)) }
    return HTTPRequest(
      method, server.url(path), headers: server.headers(), body: Data(json.bytes),
      isWrite: isWrite, limits: limits)
  }

  private func item(_ method: HTTPMethod, _ path: ParsePath, _ body: [String: Value]?) -> Value {
    var item: [String: Value] = [
      "method": .string(method.rawValue), "path": .string(server.mountPath + path.text),
    ]
    if let body { item["body"] = .object(body) }
    return .object(item)
  }

  private func batch(_ items: [Value], isWrite: Bool) throws(RequestError) -> HTTPRequest {
    guard !items.isEmpty else {
      throw RequestError(code: .batchSize, message: "A batch has nothing in it. Nothing was sent.")
    }
    return request(.post, .batch, ["requests": .array(items)], isWrite: isWrite)
  }
}

extension ParseServer {
  /// The URL of a path.
  ///
  /// The parts of a path are checked and escaped. So only a mount address that `validate()` refuses
  /// cannot be extended; this then returns that address itself.
  package func url(_ path: ParsePath) -> URL {
    var mount = Substring(url.absoluteString)
    while mount.hasSuffix("/") { mount = mount.dropLast() }
    return URL(string: mount + path.text) ?? url
  }
}
