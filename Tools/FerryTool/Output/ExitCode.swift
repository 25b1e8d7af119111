// Ferry: offline-first sync for Parse Server. MIT licence.

/// The exit codes of the tool: a frozen list, for scripts to rely on.
enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  case internalError = 1
  case changesPending = 2
  case partial = 3
  case deleteGuard = 25
  case usage = 64
  case malformedData = 65
  case unreachable = 69
  case invariant = 70
  case cannotCreate = 73
  case inputOutput = 74
  case tryAgain = 75
  case protocolError = 76
  case noPermission = 77
  case configuration = 78
  case interrupted = 130
  case terminated = 143

  /// One clause, for the help.
  var meaning: String {
    switch self {
    case .success: "Done, and nothing is left over"
    case .internalError: "An unexpected error of ferry's own"
    case .changesPending: "Something is to be done (plan --exit-code), or differs (verify)"
    case .partial: "Done in part: some records or classes are left, and are named"
    case .deleteGuard: "Done, but removals are held back until they are confirmed"
    case .usage: "The command line cannot be understood"
    case .malformedData: "The server's data cannot be read"
    case .unreachable: "The server cannot be reached"
    case .invariant: "A rule that always holds was found broken"
    case .cannotCreate: "A local file or folder cannot be made"
    case .inputOutput: "A local file cannot be read or written, or the disk is full"
    case .tryAgain: "Try again later: another process syncs, a time-out, too many requests"
    case .protocolError: "What answers is not a Parse Server, or not as one should"
    case .noPermission: "A login is needed, or the server does not allow it"
    case .configuration: "ferry.json or what it names is wrong"
    case .interrupted: "Stopped by Ctrl-C; what was done until then is kept"
    case .terminated: "Stopped by SIGTERM; what was done until then is kept"
    }
  }
}
