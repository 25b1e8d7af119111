// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

/// Says things: results on one stream, everything else on the other.
final class Console: Sendable {
  let facts: TerminalFacts
  /// Whether results are JSON.
  let isJSON: Bool
  private let isQuiet: Bool
  private let output: any ByteSink
  private let errors: any ByteSink
  /// Whether a progress line stands on the terminal.
  private let hasProgress = Mutex(false)

  init(
    facts: TerminalFacts, isJSON: Bool, isQuiet: Bool, output: any ByteSink, errors: any ByteSink
  ) {
    self.facts = facts
    self.isJSON = isJSON
    self.isQuiet = isQuiet
    self.output = output
    self.errors = errors
  }

  /// Why results could not be written.
  var outputFailure: Int32? { output.failure }

  /// Whether the reader of the results has gone.
  var hasLostReader: Bool { output.isClosed }

  var showsProgress: Bool { facts.showsProgress && !isQuiet && !isJSON }

  /// A result for people; not printed where results are JSON.
  func result(_ text: String) {
    guard !isJSON, !text.isEmpty else { return }
    clearProgress()
    output.write(text.printable + "\n")
  }

  /// A result for programs; printed only where results are JSON.
  func message(_ message: @autoclosure () -> JSONMessage) {
    guard isJSON else { return }
    output.write(message().line + "\n")
  }

  /// The present activity, for people who wait.
  func note(_ text: String) {
    guard !isQuiet, !isJSON else { return }
    write(Style.dim.apply(text.printable, if: facts.coloursErrors))
  }

  /// Something to know that does not end the command.
  func warning(_ text: String) {
    write("\(Style.yellow.apply("Warning:", if: facts.coloursErrors)) \(text.printable)")
  }

  /// A step that the command takes now, said even to those who want to hear little.
  func announcement(_ text: String) {
    write("\(Style.yellow.apply("ferry:", if: facts.coloursErrors)) \(text.printable)")
  }

  /// The error that ended the command.
  func failure(_ failure: Failure) {
    let name = Style.red.apply("ferry:", if: facts.coloursErrors)
    write("\(name) \(failure.message.printable)")
    message(failure.json)
  }

  /// Replaces the previous line by a new one.
  func progress(_ line: String) {
    guard showsProgress else { return }
    hasProgress.withLock { $0 = true }
    errors.write("\r\(line.printable)\u{1B}[K")
  }

  func clearProgress() {
    let stood = hasProgress.withLock { hasProgress in
      defer { hasProgress = false }
      return hasProgress
    }
    if stood { errors.write("\r\u{1B}[K") }
  }

  private func write(_ line: String) {
    clearProgress()
    errors.write(line + "\n")
  }
}
