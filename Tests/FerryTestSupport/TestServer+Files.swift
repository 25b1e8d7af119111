// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
package import Foundation
import LoopbackParse

extension TestServer {
  /// Puts a file on the server.
  ///
  /// - Returns: The name that the server gave it.
  package func upload(_ name: String, _ bytes: Data) throws -> String {
    let form: LoopbackValue = [
      "base64": .string(bytes.base64EncodedString()), "_ApplicationId": "app1",
      "_ContentType": "application/octet-stream",
    ]
    let answer = try answer(Call(.post, "/files/\(name)", form, headers: HTTPHeaders()))
    guard answer.status == 201, let name = answer.json?["name"]?.string else {
      throw RealServerError("The server took no file: \(answer.status).")
    }
    return name
  }
}
