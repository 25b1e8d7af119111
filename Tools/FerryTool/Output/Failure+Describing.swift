// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

// The errors of Ferry that a command can meet; the compiler knows that there are no others.
extension Failure {
  init(_ error: StoreError) {
    self.init(Self.exitCode(of: error), error.code.rawValue, error.message)
  }

  init(_ error: ParseServerError) {
    self.init(.configuration, error.code.rawValue, error.message)
  }

  init(_ error: HTTPError) { self.init(SyncError(error)) }

  init(_ error: SyncError) {
    let patience = error.silence.map { _ in " To wait longer: --timeout SECONDS" } ?? ""
    let message = error.message + (Self.flag(for: error) ?? "") + patience
    if let source = error.cause as? ObjectSourceError {
      self.init(Self.exitCode(of: error), source.code.rawValue, message)
    } else if let below = error.cause as? StoreError {
      self.init(Self.exitCode(of: below), below.code.rawValue, message)
    } else {
      self.init(Self.exitCode(of: error), error.code.rawValue, message)
    }
  }

  init(_ error: FileError) {
    let exitCode: ExitCode =
      switch error.code {
      case .notFound, .forbidden, .loginNeeded, .sessionUnavailable: .noPermission
      case .unreachable: .unreachable
      case .tryAgain: .tryAgain
      case .notTheFile: .protocolError
      case .tooLarge, .noAddress, .empty, .unusableType: .malformedData
      case .diskFull, .localStorage, .noRoom: .inputOutput
      case .cancelled: .interrupted
      default: .internalError
      }
    let isCleartext = (error.cause as? HTTPError)?.code == .cleartextRefused
    self.init(
      exitCode, error.code.rawValue,
      error.message + (isCleartext ? " To allow http: --allow-cleartext" : ""))
  }

  init(_ error: AccountError) {
    let isOfNetwork = [.tryAgain, .configuration].contains(error.code)
    if isOfNetwork, let exchange = (error.cause as? HTTPError).map({ SyncError($0) }) {
      self.init(Self.exitCode(of: exchange), exchange.code.rawValue, error.message)
    } else {
      self.init(
        Self.exitCode(of: error), error.code.rawValue, error.message + Self.command(for: error))
    }
  }

  /// The command or flag with which to go on; empty if there is none.
  private static func command(for error: AccountError) -> String {
    switch error.code {
    case .unsent: " To choose: --unsent keep, or --unsent discard"
    case .nobody, .sessionEnded: " To log in: ferry login NAME"
    case .otherUser: " To log out: ferry logout"
    default: ""
    }
  }

  private static func exitCode(of error: AccountError) -> ExitCode {
    switch error.code {
    case .invalidInput: .usage
    case .unsent: .changesPending
    case .tryAgain, .outcomeUnknown: .tryAgain
    case .configuration, .otherServer: .configuration
    case .credentials, .localStorage: .inputOutput
    case .cancelled: .interrupted
    default: .noPermission
    }
  }

  /// The flag of the tool that allows what the run refused; nil if there is none.
  private static func flag(for error: SyncError) -> String? {
    if let adoption = error.adoption { return " To adopt: ferry sync --adopt \(adoption.rawValue)" }
    let isCleartext = (error.cause as? HTTPError)?.code == .cleartextRefused
    return isCleartext ? " To allow http: --allow-cleartext" : nil
  }

  /// The failure as the end of a command: one that only reads leaves nothing behind when it stops.
  func ending(_ command: ParsedCommand) -> Failure {
    guard exitCode == .interrupted, command.onlyReads else { return self }
    var failure = self
    failure.message =
      "ferry \(command.name.rawValue) was stopped. It only reads, so neither the store nor the server "
      + "was changed. Start it again to continue."
    return failure
  }

  private static func exitCode(of error: SyncError) -> ExitCode {
    switch error.code {
    case .unreachable: .unreachable
    case .tryAgain, .busy: .tryAgain
    case .loginNeeded, .sessionUnavailable, .unauthorized, .otherUser, .queryRefused: .noPermission
    case .notParseServer, .wrongURL: .protocolError
    case .malformedData: .malformedData
    case .localStorage, .diskFull: .inputOutput
    case .otherServer, .configuration: .configuration
    case .cancelled, .waitCancelled: .interrupted
    case .internalError: .invariant
    default: .internalError
    }
  }

  private static func exitCode(of error: StoreError) -> ExitCode {
    switch error.code {
    case .busy, .beingSent: .tryAgain
    // Named on the command line, as the number of a conflict record.
    case .noSuchRecord, .alreadyRestored, .cannotDiscard, .cannotUndo: .usage
    case .notAccessible, .damaged, .newerFormat, .diskFull, .database, .historyPruned: .inputOutput
    case .invalidSchema, .unknownClass, .unknownField: .configuration
    default: .internalError
    }
  }

  /// A refusal of a question that `ferry init` asked.
  init(_ error: ParseError) {
    let (exitCode, name): (ExitCode, String) =
      switch error.meaning {
      case .loginNeeded: (.noPermission, SyncError.Code.loginNeeded.rawValue)
      case .unauthorized: (.noPermission, SyncError.Code.unauthorized.rawValue)
      case .refused, .forbidden, .invalidName, .notFoundOrForbidden: (.noPermission, "refused")
      case .wrongURL: (.protocolError, SyncError.Code.wrongURL.rawValue)
      case .notParse, .tooLarge: (.protocolError, SyncError.Code.notParseServer.rawValue)
      case .malformed: (.malformedData, SyncError.Code.malformedData.rawValue)
      case .retryLater, .failed, .rateLimited, .outcomeUnknown, .duplicate, .cut:
        (.tryAgain, SyncError.Code.tryAgain.rawValue)
      }
    self.init(exitCode, name, error.description)
  }
}
