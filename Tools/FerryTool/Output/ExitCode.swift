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
    case .success: "Done, and nothing is left"
    case .internalError: "ferry itself failed unexpectedly"
    case .changesPending:
      "A sync has something to do (plan --exit-code, logout), or the sides differ (verify)"
    case .partial: "Done in part: ferry left some records or classes, and names them"
    case .deleteGuard: "Done, but removals or deletes are held back until you confirm them"
    case .usage:
      "ferry does not understand the command line, or finds no row or field that it names"
    case .malformedData:
      "ferry cannot read the server's data or a file to import, or a file is empty, too large, or without an address"
    case .unreachable: "ferry cannot reach the server"
    case .invariant: "ferry found one of its own rules broken"
    case .cannotCreate: "ferry cannot make a local file or folder"
    case .inputOutput: "ferry cannot read or write a local file, or the disk is full"
    case .tryAgain:
      "Try again later: another process syncs, a time-out, too many requests, a change on its way"
    case .protocolError: "The server is no Parse Server, or does not answer as one"
    case .noPermission:
      "A login is needed, or the server does not allow it, or does not have the file"
    case .configuration: "ferry.json or what it names is wrong"
    case .interrupted: "Ctrl-C stopped ferry, which keeps what it had done"
    case .terminated: "SIGTERM stopped ferry, which keeps what it had done"
    }
  }
}
