// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
package import FerryModel
import FerryPlanning

/// Reads answers; it sends nothing.
///
/// Use one per thread.
package struct ParseResponses {
  let json: JSONReader

  package init(limits: JSONReader.Limits = .init()) {
    json = JSONReader(limits: limits)
  }

  /// Reads a successful answer to a read; the answer must be a JSON object.
  package func read<Answer>(
    _ response: HTTPResponse, _ body: (JSONElement) throws -> Answer?
  ) throws(ParseError) -> Answer {
    try answer(response, to: .read, body)
  }

  /// The number of matching rows.
  package func count(_ response: HTTPResponse) throws(ParseError) -> Int {
    try read(response) { $0["count"]?.wholeNumber }
  }

  /// Checks that this is an answer to a query; `PageReader` reads its content.
  package func checkPage(_ response: HTTPResponse) throws(ParseError) {
    guard (200...299).contains(response.status) else {
      throw ParseError(response, to: .read, reader: json)
    }
    // A page is an object, and a batch of pages is a list. The welcome page of another server is
    // neither.
    guard response.beginsAsJSON else {
      throw ParseError(RefusedAnswer(status: response.status, body: .foreign, to: .read))
    }
  }

  /// Whether a Parse Server gave this answer, which then has results or a refusal in Parse's form.
  package func isFromParseServer(_ response: HTTPResponse) -> Bool {
    let isKnown = try? json.read(response.body) { root in
      guard !(200...299).contains(response.status) else { return root["results"]?.array != nil }
      let hasCode = root["code"]?.integer != nil && (root["error"] ?? root["message"]) != nil
      // It refuses keys without a code.
      return hasCode || response.status == 403 && root["error"]?.string != nil
    }
    return isKnown ?? false
  }

  package func isHealthy(_ response: HTTPResponse) throws(ParseError) -> Bool {
    try read(response) { $0["status"]?.string.map { $0 == "ok" } }
  }

  /// Whether the server accepts the master key with which `/serverInfo` was asked.
  package func acceptsMasterKey(_ response: HTTPResponse) throws(ParseError) -> Bool {
    do {
      _ = try serverVersion(response)
      return true
    } catch {
      guard [.unauthorized, .forbidden].contains(error.meaning) else { throw error }
      return false
    }
  }

  package func serverVersion(_ response: HTTPResponse) throws(ParseError) -> String {
    try read(response) { $0["parseServerVersion"]?.string }
  }

  /// Every class of the server that Ferry can sync, with all its fields.
  package func schemas(_ response: HTTPResponse) throws(ParseError) -> [Entity] {
    try read(response) { try SchemaReader.entities(ofServer: $0) }
  }
}

extension ParseResponses {
  /// The answer to one write.
  package func write(
    _ operation: WriteOperation, _ response: HTTPResponse
  ) throws(ParseError) -> WriteAnswer {
    try answer(response, to: .write) { try Self.answer(operation, $0) }
  }

  /// Reads the content of a success, depending on the write; nil if the content is missing.
  static func answer(
    _ operation: WriteOperation, _ body: JSONElement
  ) throws(JSONError) -> WriteAnswer? {
    guard body.kind == .object else { return nil }
    switch operation {
    case .delete:
      // Parse Server answers `{}`. A refusal says that nothing was deleted, whatever its status.
      return body["code"] == nil && body["error"] == nil ? .deleted : nil
    case .create:
      var changes = try Value.members(of: body)
      guard case .string(let objectID)? = changes.removeValue(forKey: "objectId"),
        !objectID.isEmpty, case .string(let createdAt)? = changes.removeValue(forKey: "createdAt")
      else { return nil }
      changes["updatedAt"] = nil
      return .created(ParseCreated(objectID: objectID, createdAt: createdAt, changes: changes))
    case .addMember(_, let pair):
      // The server stamps the owner; the pair itself has no stamp.
      guard let stamp = body["updatedAt"]?.string else { return nil }
      return .created(ParseCreated(objectID: pair.objectID, createdAt: stamp, changes: [:]))
    case .removeMember: return body["updatedAt"]?.string.map { _ in .deleted }
    case .update:
      var changes = try Value.members(of: body)
      guard case .string(let updatedAt)? = changes.removeValue(forKey: "updatedAt") else {
        return nil
      }
      return .updated(ParseUpdated(updatedAt: updatedAt, changes: changes))
    }
  }

  /// Reads a success, or throws what the answer is instead.
  func answer<Answer>(
    _ response: HTTPResponse, to request: AnsweredRequest, _ body: (JSONElement) throws -> Answer?
  ) throws(ParseError) -> Answer {
    guard (200...299).contains(response.status) else {
      throw ParseError(response, to: request, reader: json)
    }
    var isJSON = false
    let answer = try? json.read(response.body) { root in
      isJSON = true
      return try body(root)
    }
    if let answer = answer ?? nil { return answer }
    let form: RefusedAnswer.Body = isJSON ? .json : response.beginsAsJSON ? .cut : .foreign
    throw ParseError(RefusedAnswer(status: response.status, body: form, to: request))
  }
}
