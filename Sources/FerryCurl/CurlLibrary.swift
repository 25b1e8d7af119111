// Ferry: offline-first sync for Parse Server. MIT licence.

import CCurl

/// The C library as a whole; each process starts it once and never ends it.
enum CurlLibrary {
  /// The result of starting the library; the first access starts it, on any thread.
  static let start = CurlCode(curl_global_init(Int(CURL_GLOBAL_DEFAULT)))

  /// The library's version and components, for example `libcurl/7.88.1 OpenSSL/3.0`.
  static var version: String { String(cString: curl_version()) }
}
