// Ferry: offline-first sync for Parse Server. MIT licence.

import CCurl
import FerryHTTP
import Foundation

/// One request in flight and the answer so far.
///
/// libcurl holds an unretained pointer to it while its handle is added. The run that made it keeps
/// it alive for longer.
final class Transfer {
  let request: HTTPRequest
  let handle: EasyHandle
  private let headerList: HeaderList
  private var answer: AnswerBuffer
  /// Whether the request's receiver takes the body; nil before its first byte.
  private var isReceived: Bool?
  private var bodyPosition = 0
  private var mayHaveLeft = false
  /// The bytes that have passed either way.
  private var passed = 0
  /// When the last of them did.
  private var lastPassage: ContinuousClock.Instant

  /// Prepares a handle for a request.
  init(
    _ request: HTTPRequest, on handle: EasyHandle, to address: CurlURL, _ options: CurlOptions,
    now: ContinuousClock.Instant
  ) throws(CurlCode) {
    self.request = request
    lastPassage = now
    self.handle = handle
    headerList = try HeaderList(of: request)
    answer = AnswerBuffer(for: request)
    try handle.configure(request, to: address, options)
    try handle.set(CURLOPT_HTTPHEADER, pointer: UnsafeMutableRawPointer(headerList.pointer))
    try connectCallbacks()
  }

  /// The request's effect, as far as it is known at this moment.
  var outcome: HTTPError.Outcome { mayHaveLeft ? .unknown : .notSent }

  /// Notes that the request is about to leave, and returns whether it may.
  ///
  /// libcurl asks once for each connection that it uses. By default it resends a request on a new
  /// connection if a reused one took it without an answer. The server may then have carried it out
  /// twice. A write leaves only once.
  func beginSending() -> Bool {
    defer { mayHaveLeft = true }
    return !(request.isWrite && mayHaveLeft)
  }

  /// When the transfer ends unless a byte passes before, as far as is known now.
  ///
  /// libcurl's own limit works on an average of several seconds, so a short one would last longer.
  func endOfPatience(now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    let count =
      handle.number(CURLINFO_REQUEST_SIZE) + handle.number(CURLINFO_HEADER_SIZE)
      + handle.offset(CURLINFO_SIZE_UPLOAD_T) + handle.offset(CURLINFO_SIZE_DOWNLOAD_T)
    if count != passed { (passed, lastPassage) = (count, now) }
    return lastPassage + request.limits.slowTime
  }

  /// The error of a transfer in which no byte passes any more.
  func failureOfSilence() -> HTTPError {
    .failed(
      CurlError(code: .timedOut, detail: ""), request, outcome, status: nil,
      exceeding: mayHaveLeft
        ? .silence(request.limits.slowTime) : .connecting(request.limits.slowTime))
  }

  /// The limit of a transfer that libcurl ended for its time.
  private var exceeded: TimeLimit {
    let limits = request.limits
    if !mayHaveLeft { return .connecting(min(limits.connectTime, limits.totalTime)) }
    return .ending(after: .microseconds(handle.offset(CURLINFO_TOTAL_TIME_T)), under: limits)
  }

  /// Fills a buffer with the next bytes of the body and returns their number; nil ends the transfer.
  func readBody(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    if let source = request.source { return readBody(of: source, into: buffer) }
    let body = request.body
    let start = body.startIndex + bodyPosition
    let count = min(buffer.count, body.endIndex - start)
    let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    body.copyBytes(to: target, from: start..<(start + count))
    bodyPosition += count
    return count
  }

  private func readBody(
    of source: any HTTPBodySource, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int? {
    if bodyPosition == 0, !source.begin() { return nil }
    let count = min(buffer.count, source.byteCount - bodyPosition)
    guard count > 0 else { return 0 }
    let read = source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    guard let read, (1...count).contains(read) else { return nil }
    bodyPosition += read
    return read
  }

  /// Moves back to a position in the body, because libcurl sends again.
  func seekBody(to position: Int) -> Bool {
    guard !request.isWrite, request.source == nil,
      (0...request.body.count).contains(position)
    else { return false }
    bodyPosition = position
    return true
  }

  func takeHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard answer.takeHeaderLine(bytes) else { return false }
    return !answer.headersEnded || handle.number(CURLINFO_RESPONSE_CODE) < 400 || endConnection()
  }

  /// Closes the connection after this answer; false if that is impossible.
  ///
  /// After an internal error, Parse Server says that it keeps the connection and destroys it a
  /// moment later. It does not read the body of a request that arrives in between. A query then
  /// creates an empty row, and a create loses its fields.
  private func endConnection() -> Bool { (try? handle.set(CURLOPT_FORBID_REUSE, true)) != nil }

  func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let receiver = request.receiver else { return answer.takeBody(bytes) }
    let takes =
      isReceived
      ?? receiver.takesBody(
        status: handle.number(CURLINFO_RESPONSE_CODE), headers: answer.headers)
    isReceived = takes
    return takes ? receiver.take(bytes) : answer.takeBody(bytes)
  }

  /// The transfer's result, once libcurl has ended it.
  func result(_ code: CurlCode) -> Result<HTTPResponse, HTTPError> {
    let status = handle.number(CURLINFO_RESPONSE_CODE)
    if let breach = breach(code) {
      return .failure(.passed(breach, request, status: status))
    }
    // libcurl accepts headers that end with the connection as an answer without a body.
    let code = code == .ok && !answer.headersEnded ? .gotNothing : code
    guard code == .ok else {
      let error = CurlError(code: code, detail: handle.failureWords)
      let begun = status > 0 && mayHaveLeft ? status : nil
      return .failure(.failed(error, request, outcome, status: begun, exceeding: exceeded))
    }
    // 304 is not a redirect: it names no other address and answers only a conditional request.
    if (300...399).contains(status), status != 304, request.receiver == nil {
      return .failure(.redirected(to: answer.headers["Location"], request, status: status))
    }
    return .success(
      HTTPResponse(
        status: status,
        headers: answer.headers,
        body: answer.body,
        duration: .microseconds(handle.offset(CURLINFO_TOTAL_TIME_T)),
        bytesUp: handle.number(CURLINFO_REQUEST_SIZE) + handle.offset(CURLINFO_SIZE_UPLOAD_T),
        bytesDown: handle.number(CURLINFO_HEADER_SIZE)
          + handle.offset(CURLINFO_SIZE_DOWNLOAD_T)))
  }

  /// The limit that was exceeded: one of this transfer, or libcurl's own limit for a single header
  /// line, which it reports as a lack of memory.
  private func breach(_ code: CurlCode) -> AnswerBuffer.Breach? {
    if code == .outOfMemory, mayHaveLeft, !answer.headersEnded { return .headers }
    return answer.breach
  }
}

extension HTTPError {
  fileprivate static func passed(
    _ breach: AnswerBuffer.Breach, _ request: HTTPRequest, status: Int
  ) -> HTTPError {
    let server = request.url.server
    return switch breach {
    case .body:
      .refused(
        .tooLarge, "The answer of \(server) is larger than \(request.heldBytes) bytes",
        request, .unknown, advice: "Ask for smaller pages, or allow larger ones", status: status)
    case .headers:
      .refused(
        .tooManyHeaders,
        "The header lines of \(server) are larger than \(request.limits.headerBytes) bytes",
        request, .unknown, advice: "Check that the address is that of a Parse Server",
        status: status)
    }
  }

  fileprivate static func redirected(
    to location: String?, _ request: HTTPRequest, status: Int
  ) -> HTTPError {
    // The message names only the server: the rest of the address is untrusted and may hold secrets.
    let named = location.flatMap { URL(string: $0, relativeTo: request.url)?.absoluteURL.server }
    // No name of a server has more characters; a longer one would fill logs.
    let target = named.flatMap { $0.count <= 300 ? $0 : nil }
    return .refused(
      .redirectRefused,
      "\(request.url.server) redirects to \(target ?? "another address"), which Ferry does not follow",
      request, .answered, advice: "If that is the right server, give its address", status: status)
  }
}
