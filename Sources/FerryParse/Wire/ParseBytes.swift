// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Bytes on the wire: `{"__type":"Bytes","base64":"aGVsbG8="}`.
package enum ParseBytes {
  package static func read(_ element: JSONElement) -> [UInt8]? {
    guard element.isTyped("Bytes"), let text = element["base64"]?.string,
      let bytes = Data(base64Encoded: text)
    else { return nil }
    return Array(bytes)
  }
}
