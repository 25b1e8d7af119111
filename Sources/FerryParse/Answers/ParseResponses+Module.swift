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
      // A function that throws a text has the same code, and another text.
      guard error.code == .scriptFailed, error.serverText.hasPrefix("Invalid function") else {
        throw error
      }
      return nil
    }
  }
}
