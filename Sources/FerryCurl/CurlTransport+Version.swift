// Ferry: offline-first sync for Parse Server. MIT licence.

extension CurlTransport {
  /// The version of libcurl in this process with its components, for a diagnosis: for example
  /// `libcurl/7.88.1 OpenSSL/3.0.11`.
  public static var libraryVersion: String { CurlLibrary.version }
}
