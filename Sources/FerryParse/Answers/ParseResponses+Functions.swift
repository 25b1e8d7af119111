// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
package import FerryModel

extension ParseResponses {
  /// The result of a function of Cloud Code; null where the function returned none.
  ///
  /// - Throws: A refusal, or `outcomeUnknown` for a success that is none of a Parse Server.
  package func functionResult(_ response: HTTPResponse) throws(ParseError) -> Value {
    try answer(response, to: .write) { root in
      if let result = root["result"] { return try Value(result) }
      return root.kind == .object && root.memberCount == 0 ? .null : nil
    }
  }
}
