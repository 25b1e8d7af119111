// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP

extension ParseResponses {
  /// Ferry's Cloud Code as it describes itself; nil if the server has none.
  ///
  /// - Throws: A refusal, or `malformed` if the function of this name is another one.
  package func module(_ response: HTTPResponse) throws(ParseError) -> ServerModule? {
    do {
      return try read(response) { root in root["result"].flatMap { ServerModule($0) } }
    } catch {
      guard error.saysNoFunction else { throw error }
      return nil
    }
  }

  /// An answer of the deletion log.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - className: The class that the request named.
  ///   - place: The place from which the request reads on; nil for the first one.
  /// - Returns: The answer.
  /// - Throws: A refusal, or `malformed` if the answer is not of that request.
  package func deletions(
    _ response: HTTPResponse, of className: String, since place: String?
  ) throws(ParseError) -> DeletionLogAnswer {
    try read(response) { root in
      root["result"].flatMap { DeletionLogAnswer($0, of: className, since: place) }
    }
  }

  /// The records that Ferry's Cloud Code says are gone: hints, and no proof.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - className: The class that the request named.
  ///   - objectIDs: The records that the request named.
  /// - Returns: Those of them that no query of the caller finds.
  /// - Throws: A refusal, or `malformed` if the answer is not of that request.
  package func removed(
    _ response: HTTPResponse, of className: String, among objectIDs: [String]
  ) throws(ParseError) -> Set<String> {
    try read(response) { root in
      guard let result = root["result"],
        result["protocol"]?.wholeNumber == ServerModule.knownProtocol,
        result["class"]?.string == className, let removed = result["removed"]?.texts.map(Set.init),
        removed.isSubset(of: objectIDs)
      else { return nil }
      return removed
    }
  }
}

extension ParseError {
  /// Whether the server has no Cloud Code function of the name.
  ///
  /// A function that throws a text has the same code, and another text.
  package var saysNoFunction: Bool {
    code == .scriptFailed && serverText.hasPrefix("Invalid function")
  }
}
