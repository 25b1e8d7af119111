// Ferry: offline-first sync for Parse Server. MIT licence.

/// An exchange that a reset of the connection cuts.
package struct WireCut: Sendable, CustomStringConvertible {
  /// The number of the exchange, from 1.
  package var place: Int
  /// The bytes of the request that the server reads, without carrying it out; nil for all.
  package var requestBytes: Int?
  /// The bytes of the answer that the server sends after it carried the request out; nil for all.
  package var answerBytes: Int?

  package init(place: Int, requestBytes: Int? = nil, answerBytes: Int? = nil) {
    (self.place, self.requestBytes, self.answerBytes) = (place, requestBytes, answerBytes)
  }

  package var description: String {
    requestBytes.map { "request \(place) cut after \($0) bytes" }
      ?? "answer \(place) cut after \(answerBytes ?? 0) bytes"
  }
}
