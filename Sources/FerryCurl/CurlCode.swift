// Ferry: offline-first sync for Parse Server. MIT licence.

import CCurl

/// The result of libcurl's functions for one transfer.
///
/// It is a struct, not an enum, because a newer library has more codes.
package struct CurlCode: RawRepresentable, Hashable, Sendable, Error {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  init(_ code: CURLcode) {
    self.init(rawValue: code.rawValue)
  }

  static let ok = CurlCode(CURLE_OK)
  static let unsupportedProtocol = CurlCode(CURLE_UNSUPPORTED_PROTOCOL)
  static let couldNotResolveProxy = CurlCode(CURLE_COULDNT_RESOLVE_PROXY)
  static let couldNotResolveHost = CurlCode(CURLE_COULDNT_RESOLVE_HOST)
  static let couldNotConnect = CurlCode(CURLE_COULDNT_CONNECT)
  static let weirdServerReply = CurlCode(CURLE_WEIRD_SERVER_REPLY)
  static let http2 = CurlCode(CURLE_HTTP2)
  static let http2Stream = CurlCode(CURLE_HTTP2_STREAM)
  static let partialFile = CurlCode(CURLE_PARTIAL_FILE)
  static let outOfMemory = CurlCode(CURLE_OUT_OF_MEMORY)
  static let timedOut = CurlCode(CURLE_OPERATION_TIMEDOUT)
  static let abortedByCallback = CurlCode(CURLE_ABORTED_BY_CALLBACK)
  static let gotNothing = CurlCode(CURLE_GOT_NOTHING)
  static let sendError = CurlCode(CURLE_SEND_ERROR)
  static let receiveError = CurlCode(CURLE_RECV_ERROR)
  static let badContentEncoding = CurlCode(CURLE_BAD_CONTENT_ENCODING)
  static let sendFailedToRewind = CurlCode(CURLE_SEND_FAIL_REWIND)
  static let proxy = CurlCode(CURLE_PROXY)

  /// All codes about encryption and certificates.
  static let encryption: Set<CurlCode> = [
    CurlCode(CURLE_SSL_CONNECT_ERROR), CurlCode(CURLE_SSL_ENGINE_NOTFOUND),
    CurlCode(CURLE_SSL_ENGINE_SETFAILED), CurlCode(CURLE_SSL_CERTPROBLEM),
    CurlCode(CURLE_SSL_CIPHER), CurlCode(CURLE_PEER_FAILED_VERIFICATION),
    CurlCode(CURLE_USE_SSL_FAILED), CurlCode(CURLE_SSL_ENGINE_INITFAILED),
    CurlCode(CURLE_SSL_CACERT_BADFILE), CurlCode(CURLE_SSL_SHUTDOWN_FAILED),
    CurlCode(CURLE_SSL_CRL_BADFILE), CurlCode(CURLE_SSL_ISSUER_ERROR),
    CurlCode(CURLE_SSL_PINNEDPUBKEYNOTMATCH), CurlCode(CURLE_SSL_INVALIDCERTSTATUS),
    CurlCode(CURLE_SSL_CLIENTCERT),
  ]
}

extension CurlCode: CustomStringConvertible {
  package var description: String {
    "\(String(cString: curl_easy_strerror(CURLcode(rawValue)))) (curl \(rawValue))"
  }
}
