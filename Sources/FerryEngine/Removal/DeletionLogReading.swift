// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Reads which records of a class the server's deletion log names, since the last sync.
///
/// Ferry's Cloud Code keeps the log (`Tools/CloudCode`). Each record that it names is a candidate for removal, with the
/// same proof as any other, so that a log that errs costs a request and no row. A log that does not answer as it should is
/// left alone for a day. Meanwhile the engine compares counts, as on a server without a log. A refusal of the moment, such
/// as that of a rate limit or of an ended session, concerns one sync only.
struct DeletionLogReading {
  let context: ClassContext

  /// The content of the log since a position.
  struct Finding {
    /// The records that the log names.
    var objectIDs: Set<String> = []
    /// The place from which the next sync reads on; nil if there is none.
    var next: LogPosition?
    /// Whether the log alone shows what is deleted, so that the class need not be compared.
    var isWhole = false
  }

  /// How many answers a sync reads of a class; the next sync goes on.
  private static let mostPages = 100

  private enum Failure: Error {
    /// The log cannot be used, for this reason.
    case unusable(String)
    /// The log cannot be read in this sync, for this reason.
    case refused(String)
    case stops(ClassError)
  }

  private var entity: Entity { context.entity }

  /// Reads on from a position; without one, it only takes the place to begin with.
  func read(from position: LogPosition?) throws(ClassError) -> Finding {
    guard entity.deletionStrategy == .deletionLog, try !isLeftAlone() else { return Finding() }
    do throws(Failure) {
      guard let position else {
        return Finding(next: LogPosition(place: try ask(since: nil).until))
      }
      return try read(behind: position)
    } catch {
      switch error {
      case .unusable(let reason):
        try leaveAlone(because: reason)
        return Finding()
      case .refused(let reason):
        noticeUnread(
          "\(reason) This sync compares counts, and the next one asks for the log again.")
        return Finding()
      case .stops(let error): throw error
      }
    }
  }

  private func read(behind position: LogPosition) throws(Failure) -> Finding {
    var finding = Finding(
      next: LogPosition(place: position.place, isConfirmed: true), isWhole: position.isConfirmed)
    var place = position.place
    for _ in 0..<Self.mostPages {
      let answer = try ask(since: place)
      place = answer.until
      guard answer.isComplete else {
        notice(
          "The server's log of deletions in \(entity.name) begins after the last sync, as it does when the server "
            + "starts again. So this sync and the next one compare counts. Nothing was lost by it.")
        finding.next = LogPosition(place: place)
        finding.isWhole = false
        return finding
      }
      finding.objectIDs.formUnion(answer.objectIDs)
      finding.next?.place = place
      guard answer.hasMore else { break }
    }
    return finding
  }

  private func ask(since place: String?) throws(Failure) -> DeletionLogAnswer {
    let response: HTTPResponse
    do {
      response = try context.transport.send(
        context.requests.deletions(of: entity.name, since: place),
        cancellation: context.cancellation)
    } catch {
      throw error.code.isOfAnswer
        ? .unusable(error.happening ?? error.message) : .stops(.endsRun(SyncError(error)))
    }
    do {
      return try ParseResponses().deletions(response, of: entity.name, since: place)
    } catch {
      switch error.meaning {
      case .loginNeeded, .rateLimited: throw .refused(error.happeningInFull)
      default: throw .unusable(Self.reason(of: error))
      }
    }
  }

  private static func reason(of error: ParseError) -> String {
    if error.saysNoFunction { return "The server does not have Ferry's Cloud Code." }
    return switch error.meaning {
    case .malformed, .cut, .notParse, .wrongURL, .unauthorized:
      "The answer is not one of Ferry's Cloud Code (\(error.origin))."
    default: error.happeningInFull
    }
  }

  /// Whether the log was of no use less than a day ago.
  private func isLeftAlone() throws(ClassError) -> Bool {
    let until = try context.state(.capabilities).withoutLogUntil?[entity.name]
    return until.map { context.environment.now() < $0 } ?? false
  }

  private func leaveAlone(because reason: String) throws(ClassError) {
    let until = context.environment.now().adding(.seconds(24 * 60 * 60))
    try context.change(.capabilities) {
      $0.withoutLogUntil = ($0.withoutLogUntil ?? [:]).merging([entity.name: until]) { $1 }
    }
    noticeUnread("\(reason) Syncs compare counts, and ask for the log again in a day.")
  }

  private func noticeUnread(_ rest: String) {
    notice(
      "The server's log of deletions in \(entity.name) cannot be read. \(rest) Nothing was lost by it."
    )
  }

  private func notice(_ message: String) {
    context.stage.notice(SyncNotice(.deletionLogUnused, className: entity.name, message))
  }
}

extension HTTPError.Code {
  /// Whether the server was reached, and its answer was too late, too large or none at all.
  fileprivate var isOfAnswer: Bool {
    switch self {
    case .timeout, .tooLarge, .tooManyHeaders, .protocolError, .redirectRefused: true
    default: false
    }
  }
}
