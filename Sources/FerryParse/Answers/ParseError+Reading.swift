// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
import FerryModel
import FerryPlanning
import Foundation

extension ParseError {
  /// Makes an error from an answer that is not a success.
  package init(_ response: HTTPResponse, to request: AnsweredRequest, reader: JSONReader) {
    var isWhole = false
    let read = try? reader.read(response.body) { root in
      isWhole = true
      return root.kind == .object
        ? ParseError(refusal: root, status: response.status, to: request) : nil
    }
    let isCut = !isWhole && response.beginsAsJSON
    self =
      (read ?? nil)
      ?? ParseError(
        RefusedAnswer(status: response.status, body: isCut ? .cut : .foreign, to: request))
    // A date means nothing without the server's own clock, and lies in the past of this one.
    retryAfter = response.askedDelay(now: 1e15).flatMap { $0 > .zero ? $0 : nil }
  }

  /// Takes an answer without words for what it means.
  init(_ answer: RefusedAnswer, serverText: String = "") {
    self.init(
      code: answer.code, status: answer.status, serverText: serverText, meaning: answer.meaning,
      isOfWrite: answer.request.isWrite)
  }

  /// Reads `{"code":…,"error":…}` in all its forms.
  init(
    refusal: JSONElement, status: Int, body: RefusedAnswer.Body = .json,
    to request: AnsweredRequest
  ) {
    let number = refusal["code"]?.integer.flatMap { Int(exactly: $0) }
    self.init(
      RefusedAnswer(status: status, code: number.map(Code.init), body: body, to: request),
      serverText: Self.shortened(refusal["error"] ?? refusal["message"]))
  }

  /// The server's text on one line, for logs and terminals.
  private static func shortened(_ element: JSONElement?) -> String {
    guard let element, !element.isNull else { return "" }
    let text = element.string ?? (try? WireJSON.text(Value(element))) ?? ""
    // A server may send megabytes of it.
    let line = text.unicodeScalars.prefix(301).map {
      $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
        ? " " : String($0)
    }
    return line.count > 300 ? line.prefix(300).joined() + "…" : line.joined()
  }
}

extension HTTPResponse {
  /// Whether the body may be JSON of Parse Server's: an object, or a list of them.
  var beginsAsJSON: Bool {
    let first = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}
