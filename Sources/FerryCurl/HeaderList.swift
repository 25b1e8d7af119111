// Ferry: offline-first sync for Parse Server. MIT licence.

import CCurl
import FerryHTTP

/// The header lines of one request, in libcurl's own list.
struct HeaderList: ~Copyable {
  private(set) var pointer: UnsafeMutablePointer<curl_slist>?

  init(_ headers: HTTPHeaders) throws(CurlCode) {
    for field in headers.fields {
      // A semicolon in the colon's place is libcurl's sign for a field without a value.
      try append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    if headers["Content-Type"] == nil {
      // By itself libcurl says that a body is a form, which Parse Server then takes apart.
      try append("Content-Type: application/json")
    }
    // Without a value and a semicolon, a field of libcurl's own is left out: waiting for the
    // server's consent before a large body costs a round trip, and up to a second.
    try append("Expect:")
  }

  private mutating func append(_ line: String) throws(CurlCode) {
    guard let longer = curl_slist_append(pointer, line) else { throw .outOfMemory }
    pointer = longer
  }

  deinit { curl_slist_free_all(pointer) }
}
