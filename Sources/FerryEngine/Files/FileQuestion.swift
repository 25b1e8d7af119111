// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import Foundation

/// One request for a file, as far as the judgement of its answer depends on it.
struct FileQuestion: Sendable {
  let file: File
  let address: FileAddress
  /// The first byte that is asked for.
  let from: Int
  /// The size that an earlier answer gave, if bytes of it are here.
  let total: Int?
  /// The tag that it gave.
  let tag: String?

  /// The server, for messages; the rest of an address may hold a secret.
  var server: String { address.url.server }
  var isEncrypted: Bool { address.url.scheme?.lowercased() == "https" }

  /// The headers: keys and session go to the server's own files only.
  func headers(_ server: ParseServer) -> HTTPHeaders {
    var headers = address.isOwn ? server.headers() : HTTPHeaders()
    // There is no body. The address of a storage service may be signed for requests without a type.
    headers["Content-Type"] = nil
    headers["Accept-Encoding"] = "identity"
    if from > 0 {
      headers["Range"] = "bytes=\(from)-"
      headers["If-Range"] = tag
    }
    return headers
  }
}
