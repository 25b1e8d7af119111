// Ferry: offline-first sync for Parse Server. MIT licence.

import CCurl
import FerryHTTP
import Foundation

extension EasyHandle {
  /// Sets all options for a request on a handle that has none.
  func configure(_ request: HTTPRequest, to address: CurlURL, _ options: CurlOptions)
    throws(CurlCode)
  {
    try keepFailureWords()
    try set(CURLOPT_URL, address.text)
    // libcurl must not shorten a path that contains dots: it would name another thing.
    try set(CURLOPT_PATH_AS_IS, true)
    try set(CURLOPT_USERAGENT, "Ferry")
    // Accepts the common encodings; the body is unpacked before it is counted. A receiver wants the bytes as they are.
    if request.receiver == nil { try set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate") }
    try set(CURLOPT_BUFFERSIZE, 128 << 10)
    try setMethod(request)
    try setSafety(address, options)
    try setConnection(address)
    try setLimits(request.limits)
  }

  private func setMethod(_ request: HTTPRequest) throws(CurlCode) {
    if request.method == .head {
      // An answer to this method names a length, and has no body.
      try set(CURLOPT_NOBODY, true)
    } else if request.bodyCount == 0 && (request.method == .get || request.method == .delete) {
      try set(CURLOPT_HTTPGET, true)
    } else {
      try set(CURLOPT_POST, true)
      try set(CURLOPT_POSTFIELDSIZE_LARGE, offset: request.bodyCount)
    }
    try set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
  }

  /// Sends keys only to the given server, and encrypted.
  private func setSafety(_ address: CurlURL, _ options: CurlOptions) throws(CurlCode) {
    try set(CURLOPT_PROTOCOLS_STR, address.scheme)
    try set(CURLOPT_REDIR_PROTOCOLS_STR, "https")
    try set(CURLOPT_FOLLOWLOCATION, false)
    try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    try set(CURLOPT_HTTP09_ALLOWED, false)
    try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    try set(CURLOPT_SSL_VERIFYPEER, true)
    try set(CURLOPT_SSL_VERIFYHOST, 2)
    if let file = options.certificateAuthorities {
      try set(CURLOPT_CAINFO, file.path(percentEncoded: false))
    }
    // A proxy from the environment must not see requests to this machine.
    if address.isLoopback { try set(CURLOPT_PROXY, "") }
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
  }

  private func setConnection(_ address: CurlURL) throws(CurlCode) {
    // A request to upgrade an unencrypted connection confuses a Parse Server with LiveQuery.
    let version = address.scheme == "http" ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS
    try set(CURLOPT_HTTP_VERSION, Int(version))
    try set(CURLOPT_NOSIGNAL, true)
    // Node closes a connection that was idle for 5 s. The transport does not reuse one that is
    // nearly as old, so that no write meets the closing.
    try set(CURLOPT_MAXAGE_CONN, 3)
    // Without this option, ending a transfer would wait for the name service.
    try set(CURLOPT_QUICK_EXIT, true)
  }

  private func setLimits(_ limits: HTTPLimits) throws(CurlCode) {
    // For libcurl, 0 means no limit.
    try set(CURLOPT_TIMEOUT_MS, max(limits.totalTime.milliseconds, 1))
    try set(CURLOPT_CONNECTTIMEOUT_MS, max(limits.connectTime.milliseconds, 1))
    try set(CURLOPT_LOW_SPEED_LIMIT, max(limits.minimumSpeed, 1))
    try set(CURLOPT_LOW_SPEED_TIME, max((limits.slowTime.milliseconds + 999) / 1000, 1))
  }
}
