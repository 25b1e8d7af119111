// Ferry: offline-first sync for Parse Server. MIT licence.

import CCurl
import FerryHTTP
import Foundation

/// A URL as libcurl parses it.
///
/// The transport must check exactly the address that it connects to. So one parser does both;
/// another parser might see a different host in the same text.
struct CurlURL {
  let text: String
  let scheme: String
  let host: String

  /// Parses a text; nil if libcurl would not go there or would send a password along.
  init?(_ text: String) {
    guard let parts = curl_url() else { return nil }
    defer { curl_url_cleanup(parts) }
    let flags = UInt32(CURLU_DISALLOW_USER | CURLU_PATH_AS_IS)
    guard curl_url_set(parts, CURLUPART_URL, text, flags) == CURLUE_OK,
      let whole = Self.part(CURLUPART_URL, of: parts),
      let scheme = Self.part(CURLUPART_SCHEME, of: parts),
      let host = Self.part(CURLUPART_HOST, of: parts), !host.isEmpty
    else { return nil }
    self.text = whole
    self.scheme = scheme.lowercased()
    self.host = host.lowercased()
  }

  private static func part(_ part: CURLUPart, of parts: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(parts, part, &text, 0) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }

  /// Whether the host is this machine, regardless of name services.
  ///
  /// libcurl resolves `localhost` itself, without asking a name service.
  var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

extension CurlURL {
  /// Parses the request's address, or throws the error that says why it is refused.
  init(_ request: HTTPRequest, allowsCleartext: Bool) throws(HTTPError) {
    guard let address = CurlURL(request.url.absoluteString),
      ["http", "https"].contains(address.scheme)
    else {
      throw .refused(
        .invalidURL, "The address is not one a request can be sent to: \(request.url.server)",
        request, .notSent,
        advice: "Give one such as https://parse.example.com/parse, without a"
          + " user name")
    }
    guard address.scheme == "https" || address.isLoopback || allowsCleartext else {
      throw .refused(
        .cleartextRefused, "Keys would travel unencrypted to \(request.url.server)", request,
        .notSent, advice: "Use https, or allow cleartext for this server explicitly")
    }
    self = address
  }
}
