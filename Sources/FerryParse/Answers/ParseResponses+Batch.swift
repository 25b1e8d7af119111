// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
package import Foundation

extension ParseResponses {
  /// The answers to a batch of writes, one for each write, in order.
  ///
  /// If the answer is not a list with one item for each write, nobody knows which writes the server
  /// carried out. Then this throws an unknown outcome for all of them. The same applies to a single
  /// item.
  package func batch(
    _ operations: [WriteOperation], _ response: HTTPResponse
  ) throws(ParseError) -> [Result<WriteAnswer, ParseError>] {
    try answer(response, to: .batchOfWrites) { root in
      guard let items = root.array.map(Array.init), items.count == operations.count else {
        return nil
      }
      return zip(operations, items).map { operation, item in
        item.result(status: response.status, to: .writeInBatch) {
          try? Self.answer(operation, $0)
        }
      }
    }
  }

  /// The pages of a batch of queries, one for each query, in order, as the server wrote them.
  package func batchPages(
    _ response: HTTPResponse, count: Int
  ) throws(ParseError) -> [Result<Data, ParseError>] {
    try answer(response, to: .batchOfReads) { root in
      let text = json.source
      guard let items = root.array.map(Array.init), items.count == count,
        let ranges = JSONScanner.elements(of: 0..<text.count, in: text), ranges.count == count
      else { return nil }
      return zip(items, ranges).map { item, range in
        item.result(status: response.status, to: .readInBatch) { body in
          guard body["results"]?.array != nil else { return nil }
          let members = JSONScanner.members(of: range, in: text) ?? []
          let page = members.first { JSONScanner.spells($0.key, "success", in: text) }
          return page.map { Data(text[$0.value]) }
        }
      }
    }
  }
}

extension JSONElement {
  /// Reads `{"success":…}` or `{"error":…}`.
  fileprivate func result<Answer>(
    status: Int, to request: AnsweredRequest, _ success: (JSONElement) -> Answer?
  ) -> Result<Answer, ParseError> {
    if let answer = self["success"].flatMap(success) { return .success(answer) }
    if let error = self["error"], error.kind == .object {
      return .failure(
        ParseError(refusal: error, status: status, body: .databaseError, to: request))
    }
    return .failure(ParseError(RefusedAnswer(status: status, to: request)))
  }
}
