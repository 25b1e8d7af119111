// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// A function of Ferry's Cloud Code (`Tools/CloudCode`) that a class is declared with, and the meaning of its failures.
///
/// A function that does not answer as it should is left alone for a day. Meanwhile the engine finds deletions as on a
/// server without it. A refusal of the moment, such as that of a rate limit or of an ended session, concerns one sync only.
struct ModuleFunction {
  let kind: Kind
  let context: ClassContext

  enum Kind {
    /// The log of deletions.
    case log
    /// The function that says which of some records are gone.
    case removed
  }

  enum Failure: Error {
    /// The function cannot be used, for this reason.
    case unusable(String)
    /// The function cannot be used in this sync, for this reason.
    case refused(String)
    case stops(ClassError)
  }

  init(_ kind: Kind, in context: ClassContext) {
    self.kind = kind
    self.context = context
  }

  /// The result of asking; nil if the function is of no use at present, which a notice has said.
  func result<Result>(_ ask: () throws(Failure) -> Result) throws(ClassError) -> Result? {
    guard try !isLeftAlone() else { return nil }
    do throws(Failure) {
      return try ask()
    } catch {
      switch error {
      case .unusable(let reason): try leaveAlone(because: reason)
      case .refused(let reason): noticeUnused("\(reason) \(kind.restOfSync)")
      case .stops(let error): throw error
      }
      return nil
    }
  }

  /// The answers to requests, which are sent several at a time, in order.
  func answers<Answer>(
    to requests: [HTTPRequest], _ read: (HTTPResponse, Int) throws(ParseError) -> Answer
  ) throws(Failure) -> [Answer] {
    var answers: [Answer] = []
    let results = context.transport.sendAll(requests, cancellation: context.cancellation)
    for (place, result) in results.enumerated() {
      let response: HTTPResponse
      do {
        response = try result.get()
      } catch {
        throw error.code.isOfAnswer
          ? .unusable(error.happening ?? error.message) : .stops(.endsRun(SyncError(error)))
      }
      do {
        answers.append(try read(response, place))
      } catch {
        switch error.meaning {
        case .loginNeeded, .rateLimited: throw .refused(error.happeningInFull)
        default: throw .unusable(Self.reason(of: error))
        }
      }
    }
    return answers
  }

  /// Whether the function was of no use less than a day ago.
  func isLeftAlone() throws(ClassError) -> Bool {
    let until = try context.state(.capabilities)[keyPath: kind.waiting]?[context.entity.name]
    return until.map { context.environment.now() < $0 } ?? false
  }

  func notice(_ message: String) {
    context.stage.notice(SyncNotice(kind.code, className: context.entity.name, message))
  }

  private static func reason(of error: ParseError) -> String {
    if error.saysNoFunction { return "The server does not have Ferry's Cloud Code." }
    return switch error.meaning {
    case .malformed, .cut, .notParse, .wrongURL, .unauthorized:
      "The answer is not one of Ferry's Cloud Code (\(error.origin))."
    default: error.happeningInFull
    }
  }

  func leaveAlone(because reason: String) throws(ClassError) {
    let until = context.environment.now().adding(.seconds(24 * 60 * 60))
    try context.change(.capabilities) {
      $0[keyPath: kind.waiting] = ($0[keyPath: kind.waiting] ?? [:])
        .merging([context.entity.name: until]) { $1 }
    }
    noticeUnused("\(reason) \(kind.restOfDay)")
  }

  private func noticeUnused(_ rest: String) {
    notice("\(kind.head(context.entity.name)) \(rest) Nothing was lost by it.")
  }
}

extension ModuleFunction.Kind {
  /// The times until which the classes do without the function.
  fileprivate var waiting: WritableKeyPath<ServerCapabilities, [String: Timestamp]?> {
    switch self {
    case .log: \.withoutLogUntil
    case .removed: \.withoutFunctionUntil
    }
  }

  fileprivate var code: SyncNotice.Code {
    switch self {
    case .log: .deletionLogUnused
    case .removed: .deletionFunctionUnused
    }
  }

  fileprivate func head(_ className: String) -> String {
    switch self {
    case .log: "The server's log of deletions in \(className) cannot be read."
    case .removed: "The server's function for deletions in \(className) cannot be used."
    }
  }

  fileprivate var restOfSync: String {
    switch self {
    case .log: "This sync compares counts, and the next one asks for the log again."
    case .removed: "This sync lists what differs, and the next one asks the function again."
    }
  }

  fileprivate var restOfDay: String {
    switch self {
    case .log: "Syncs compare counts, and ask for the log again in a day."
    case .removed: "Syncs list what differs, and ask the function again in a day."
    }
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
