// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import Foundation

/// Brings one file from the server into the folder; blocks the calling thread.
///
/// An interrupted download goes on where it ended: within this call, and in the next process. Wrong or missing bytes never
/// become a content.
struct FileDownload {
  let file: File
  let key: String
  let folder: FileFolder
  /// The server in the session of this moment.
  let server: ParseServer
  let transport: any HTTPTransport
  let terms: FileTerms
  let environment: SyncEnvironment
  let cancellation: CancellationSignal
  let progress: @Sendable (FileProgress) -> Void

  private static let mostRedirects = 5

  /// The download as far as it has come between two requests.
  private struct Course {
    var address: FileAddress
    var redirects = 0
    var attempt = 1
    var begun: Double
    var delay: Duration = .zero
    /// The most bytes that any try has had: only what goes beyond them is progress.
    var most = 0
    var mayResume = true
    var mayRenew = true
  }

  func run() throws(FileError) -> KeptFile {
    guard let address = FileAddress(of: file, on: server) else { throw noAddress }
    try folder.prepare()
    var course = Course(address: address, begun: environment.uptime())
    while true {
      if let kept = try step(&course) { return kept }
    }
  }

  /// One request; nil if another one has to follow.
  private func step(_ course: inout Course) throws(FileError) -> KeptFile? {
    var part = try PartFile(key, in: folder, writing: terms.write)
    let (url, canResume) = (part.url, part.canResume)
    let question = try question(course, &part)
    course.most = max(course.most, question.from)
    let receiver = FileReceiver(
      question, into: part, key: key, folder: folder, terms: terms, progress: progress)
    defer { receiver.release() }
    let result = send(question, to: receiver, after: course.delay)
    course.delay = .zero
    let ending = receiver.end(isWhole: (try? result.get()) != nil)
    do throws(FileError) {
      switch ending {
      case .complete(let sha256, let bytes):
        return try publish(url, FileNote(name: file.name, sha256: sha256, bytes: bytes))
      case .restart: try restart(&course, question)
      case .refused(let error): throw error
      case .short(let kept):
        let gained = kept - course.most
        course.most = max(course.most, kept)
        try goOn(&course, question, result, gained: gained)
      case .none: try goOn(&course, question, result, gained: 0)
      }
    } catch {
      if error.losesPart || !canResume || folder.partialNote(key) == nil {
        folder.removePart(at: url)
      }
      throw error
    }
    if !course.mayResume || !canResume { folder.removePart(at: url) }
    return nil
  }

  private func question(
    _ course: Course, _ part: inout PartFile
  ) throws(FileError) -> FileQuestion {
    if course.mayResume, let note = folder.partialNote(key),
      file.hasUniqueName || note.tag != nil, part.resume(note)
    {
      return FileQuestion(
        file: file, address: course.address, from: note.bytes, total: note.total, tag: note.tag)
    }
    try part.restart()
    return FileQuestion(file: file, address: course.address, from: 0, total: nil, tag: nil)
  }

  private func send(
    _ question: FileQuestion, to receiver: FileReceiver, after delay: Duration
  ) -> Result<HTTPResponse, HTTPError> {
    var limits = HTTPLimits(timeout: terms.timeout)
    limits.totalTime = .seconds(7 * 86_400)
    var request = HTTPRequest(
      .get, question.address.url, headers: question.headers(server), delay: delay, limits: limits)
    request.receiver = receiver
    let result = Result { () throws(HTTPError) in
      try DiscreetTransport(transport).send(request, cancellation: cancellation)
    }
    // An empty body, and that of a transport that knows no receivers, have not come to the receiver.
    if case .success(let answer) = result, !receiver.hasBegun,
      receiver.takesBody(status: answer.status, headers: answer.headers), !answer.body.isEmpty
    {
      _ = answer.body.withUnsafeBytes { receiver.take($0) }
    }
    return result
  }

  private func publish(_ part: URL, _ note: FileNote) throws(FileError) -> KeptFile {
    try folder.publish(part, as: note, key: key, at: environment.now())
    guard let kept = folder.kept(key) else {
      throw FileError(
        .tryAgain,
        "The file \(file.shownName) came, and something on this device removed it at once. Ask again for it."
      )
    }
    return kept
  }

  /// Asks for the whole file, once.
  private func restart(_ course: inout Course, _ question: FileQuestion) throws(FileError) {
    guard course.mayResume else {
      throw .notTheFile(question, "sent a part that does not fit")
    }
    course.mayResume = false
  }

  /// Decides what follows an answer that is not the whole file.
  private func goOn(
    _ course: inout Course, _ question: FileQuestion, _ result: Result<HTTPResponse, HTTPError>,
    gained: Int
  ) throws(FileError) {
    if cancellation.isCancelled { throw .cancelled }
    if case .success(let answer) = result {
      if let location = answer.headers["Location"], (300...399).contains(answer.status) {
        return try redirect(&course, question, to: location)
      }
      if answer.status == 416 { return try restart(&course, question) }
      if try renewSession(&course, answer) { return }
    }
    if gained >= 1 << 16 {
      (course.attempt, course.begun) = (1, environment.uptime())
    }
    let ending = RetryPolicy.Ending(
      isShort(result) ? .failure(.shortAnswer) : result, isWrite: false, attempt: course.attempt,
      elapsed: .seconds(environment.uptime() - course.begun))
    let now = Double(environment.now().milliseconds) / 1000
    switch terms.retries.decision(for: ending, jitter: environment.chance(), now: now) {
    case .giveUp: throw FileError(result, question)
    case .retry(let delay):
      course.attempt += 1
      course.delay = delay
    }
  }

  private func isShort(_ result: Result<HTTPResponse, HTTPError>) -> Bool {
    (try? result.get()).map { [200, 206].contains($0.status) } ?? false
  }

  private func redirect(
    _ course: inout Course, _ question: FileQuestion, to location: String
  ) throws(FileError) {
    guard course.redirects < Self.mostRedirects,
      let address = course.address.redirected(to: location, server: server)
    else { throw .notTheFile(question, "redirects to an address that Ferry does not follow") }
    course.redirects += 1
    course.address = address
  }

  /// Whether the app gave a new token for a session that has ended.
  private func renewSession(_ course: inout Course, _ answer: HTTPResponse) throws(FileError)
    -> Bool
  {
    guard course.mayRenew, course.address.isOwn, (400...499).contains(answer.status),
      ParseError(answer, to: .read, reader: JSONReader()).meaning == .loginNeeded
    else { return false }
    course.mayRenew = false
    do {
      return try server.renewPresentSession(
        within: terms.sessionTimeout, cancellation: cancellation)
    } catch {
      throw FileError(error)
    }
  }

  private var noAddress: FileError {
    guard file.url != nil else {
      return FileError(
        .noAddress,
        "The file \(file.shownName) has no address, and its name cannot be part of one. Nothing was fetched. Give the field "
          + "another file, or clear it.")
    }
    return FileError(
      .noAddress,
      "The field names an address for the file \(file.shownName) to which no request can be sent: it begins "
        + "neither with http:// nor with https://. Nothing was fetched. Correct the field, or sync if the server has "
        + "another address by now, and ask again.")
  }
}

extension HTTPError {
  /// An answer that ended before its end, and that the transport took for a whole one.
  fileprivate static let shortAnswer = HTTPError(
    .connectionLost, outcome: .unknown, message: "The answer ended before its end.")
}
