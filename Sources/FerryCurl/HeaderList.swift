// Ferry: offline-first sync for Parse Server. MIT licence.

import CCurl
import FerryHTTP

/// The header lines of one request, in libcurl's list type.
struct HeaderList: ~Copyable {
  private(set) var pointer: UnsafeMutablePointer<curl_slist>?

  init(of request: HTTPRequest) throws(CurlCode) {
    let headers = request.headers
    for field in headers.fields {
      // A semicolon instead of the colon is libcurl's form of a field without a value.
      try append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    if headers["Content-Type"] == nil, request.receiver == nil {
      // By default libcurl declares a body as a form, and Parse Server then parses it as one.
      try append("Content-Type: application/json")
    }
    // This removes a header that libcurl would add. Waiting for the server's consent before a large
    // body costs a round trip, and up to a second.
    try append("Expect:")
  }

  private mutating func append(_ line: String) throws(CurlCode) {
    guard let longer = curl_slist_append(pointer, line) else { throw .outOfMemory }
    pointer = longer
  }

  deinit { curl_slist_free_all(pointer) }
}
