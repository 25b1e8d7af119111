// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Facts about the output's target, which decide on colours and progress.
struct TerminalFacts: Sendable, Equatable {
  var isOutputTerminal: Bool
  var isErrorTerminal: Bool
  /// Whether a line can be written over: not on a "dumb" terminal.
  var canRedraw: Bool
  /// Columns of the terminal, or those that COLUMNS gives; nil if the output goes elsewhere without it.
  var width: Int?
  private var allowsColour: Bool

  /// - Parameters:
  ///   - environment: The environment variables.
  ///   - isOutputTerminal: Whether results go to a terminal.
  ///   - isErrorTerminal: Whether everything else does.
  ///   - width: The terminal's own answer, where there is one.
  ///   - refusesColour: Whether `--no-color` was given.
  init(
    environment: [String: String], isOutputTerminal: Bool, isErrorTerminal: Bool, width: Int?,
    refusesColour: Bool
  ) {
    self.isOutputTerminal = isOutputTerminal
    self.isErrorTerminal = isErrorTerminal
    canRedraw = environment["TERM"] != "dumb"
    let named = environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
    let isOnTerminal = isOutputTerminal || isErrorTerminal
    self.width = isOnTerminal ? max(width ?? named ?? 80, 1) : named
    let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    allowsColour = canRedraw && !isRefused && !refusesColour
  }

  /// Asks the system.
  static func current(environment: [String: String], refusesColour: Bool) -> TerminalFacts {
    var size = winsize()
    let isKnown = [STDERR_FILENO, STDOUT_FILENO].contains {
      ioctl($0, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    }
    return TerminalFacts(
      environment: environment, isOutputTerminal: isatty(STDOUT_FILENO) == 1,
      isErrorTerminal: isatty(STDERR_FILENO) == 1, width: isKnown ? Int(size.ws_col) : nil,
      refusesColour: refusesColour)
  }

  var coloursOutput: Bool { allowsColour && isOutputTerminal }
  var coloursErrors: Bool { allowsColour && isErrorTerminal }
  var showsProgress: Bool { isErrorTerminal && canRedraw }
}
