// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
import FerryModel
import Foundation

extension ParseError {
  /// Makes an error from an answer that is not a success.
  package init(_ response: HTTPResponse, isWrite: Bool, reader: JSONReader) {
    var isWhole = false
    let read = try? reader.read(response.body) { root in
      isWhole = true
      return root.kind == .object
        ? ParseError(refusal: root, status: response.status, isWrite: isWrite, inBatch: false) : nil
    }
    let isCut = !isWhole && response.beginsAsJSON
    self =
      (read ?? nil)
      ?? ParseError(
        status: response.status,
        meaning: isCut
          ? .ofCut(status: response.status, isWrite: isWrite)
          : .of(status: response.status, isJSON: false, isWrite: isWrite))
  }

  /// Reads `{"code":…,"error":…}` in all its forms.
  init(refusal: JSONElement, status: Int, isWrite: Bool, inBatch: Bool) {
    let text = Self.shortened(refusal["error"] ?? refusal["message"])
    if let number = refusal["code"]?.integer.flatMap({ Int(exactly: $0) }) {
      let code = Code(rawValue: number)
      self.init(
        code: code, status: status, serverText: text, meaning: .of(code: code, isWrite: isWrite))
    } else if inBatch {
      self.init(status: status, serverText: text, meaning: .ofDriverError(isWrite: isWrite))
    } else {
      self.init(
        status: status, serverText: text,
        meaning: .of(status: status, isJSON: true, isWrite: isWrite))
    }
  }

  /// The server's text on one line, for logs and terminals.
  private static func shortened(_ element: JSONElement?) -> String {
    guard let element, !element.isNull else { return "" }
    let text = element.string ?? (try? WireJSON.text(Value(element))) ?? ""
    let line = text.unicodeScalars.map {
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
