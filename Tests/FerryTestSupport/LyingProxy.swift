// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation
import Synchronization

/// A way to a server on which a judge decides about each request: it loses it, its answer, or lets it arrive late.
///
/// It speaks HTTP over real sockets, with one exchange for each connection, so any program can use it.
package final class LyingProxy: Sendable {
  /// A request as the proxy has read it.
  package struct Request: Sendable {
    package var method: String
    package var path: String
    package var body: Data
    fileprivate var head: String
  }

  /// The end of an exchange for the program that sent the request.
  package enum Fate: Sendable {
    case passes
    /// The server never gets the request.
    case isLost
    /// The server carries the request out, and the connection ends without an answer.
    case losesItsAnswer
    /// The connection ends at once, and the server gets the request after that time.
    case isLate(Duration)
    /// The connection ends after that many bytes of the answer.
    case isCut(Int)
    /// The proxy answers with this status, and the server never gets the request.
    case isAnswered(Int)
  }

  package typealias Judge = @Sendable (Request) -> Fate
  /// Called when the server has carried a request out, with the body of its answer.
  package typealias Witness = @Sendable (Request, Data) -> Void

  private struct State {
    var listener: Int32 = -1
    var late = 0
  }

  private let state = Mutex(State())
  private let target: UInt16
  private let path: String
  private let port: UInt16
  private let judge: Judge
  private let witness: Witness

  package init(
    to server: URL, judge: @escaping Judge, witness: @escaping Witness = { _, _ in }
  ) throws {
    target = UInt16(server.port ?? 0)
    path = server.path
    self.judge = judge
    self.witness = witness
    let (listener, port) = try LocalSocket.listen(at: 0)
    self.port = port
    state.withLock { $0.listener = listener }
    Thread.detachNewThread { [weak self] in
      defer { _ = Foundation.close(listener) }
      while case let near = accept(listener, nil, nil), near >= 0 {
        guard let self else { return }
        Thread.detachNewThread { self.serve(near) }
      }
    }
  }

  deinit { close() }

  /// The server's address by this way.
  package var url: URL { URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(filePath: "/") }

  /// The number of late requests that the server has not got yet.
  package var lateCount: Int { state.withLock(\.late) }

  /// Takes no connections any more.
  package func close() {
    state.withLock { state in
      if state.listener >= 0 { shutdown(state.listener, Int32(SHUT_RDWR)) }
      state.listener = -1
    }
  }

  private func serve(_ near: Int32) {
    defer { _ = Foundation.close(near) }
    guard let request = Self.read(from: near) else { return }
    switch judge(request) {
    case .isLost: return
    case .passes: LocalSocket.send(forward(request), to: near)
    case .losesItsAnswer: _ = forward(request)
    case .isCut(let count): LocalSocket.send(forward(request).prefix(count), to: near)
    case .isAnswered(let status):
      let text = "HTTP/1.1 \(status) Made Up\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
      LocalSocket.send(Data(text.utf8), to: near)
    case .isLate(let delay):
      state.withLock { $0.late += 1 }
      shutdown(near, Int32(SHUT_RDWR))
      usleep(UInt32(delay / .microseconds(1)))
      _ = forward(request)
      state.withLock { $0.late -= 1 }
    }
  }

  /// Lets the server carry the request out, and returns its whole answer.
  private func forward(_ request: Request) -> Data {
    guard let far = LocalSocket.connect(to: target) else { return Data() }
    defer { _ = Foundation.close(far) }
    LocalSocket.send(Data(request.head.utf8) + request.body, to: far)
    var answer = Data()
    while let part = LocalSocket.receive(from: far) { answer += part }
    if let end = answer.firstRange(of: Data("\r\n\r\n".utf8)) {
      witness(request, answer[end.upperBound...])
    }
    return answer
  }

  /// Reads a request whose length is said; the server is told to close the connection behind its answer.
  private static func read(from near: Int32) -> Request? {
    var bytes = Data()
    let blank = Data("\r\n\r\n".utf8)
    while bytes.firstRange(of: blank) == nil {
      guard let part = LocalSocket.receive(from: near) else { return nil }
      bytes += part
    }
    guard let end = bytes.firstRange(of: blank) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    let fields = lines.dropFirst().filter {
      !$0.lowercased().hasPrefix("connection:") && !$0.lowercased().hasPrefix("expect:")
    }
    let length = fields.first { $0.lowercased().hasPrefix("content-length:") }
      .flatMap { Int($0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)) }
    if lines.contains(where: { $0.lowercased().hasPrefix("expect:") }) {
      LocalSocket.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: near)
    }
    var body = Data(bytes[end.upperBound...])
    while body.count < length ?? 0 {
      guard let part = LocalSocket.receive(from: near) else { return nil }
      body += part
    }
    let head = ([lines[0]] + fields + ["Connection: close", "", ""]).joined(separator: "\r\n")
    return Request(method: String(words[0]), path: String(words[1]), body: body, head: head)
  }
}
