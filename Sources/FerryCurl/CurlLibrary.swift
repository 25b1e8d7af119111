// Ferry: offline-first sync for Parse Server. MIT licence.

import CCurl

/// The C library as a whole: started once for the process, and never ended.
package enum CurlLibrary {
  /// What starting the library gave; asking for it starts it, once, whatever the threads.
  static let start = CurlCode(curl_global_init(Int(CURL_GLOBAL_DEFAULT)))

  /// The library's version and what it was built with, for example `libcurl/7.88.1 OpenSSL/3.0`.
  package static var version: String { String(cString: curl_version()) }
}
