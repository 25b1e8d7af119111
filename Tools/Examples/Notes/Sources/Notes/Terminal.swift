// Ferry: offline-first sync for Parse Server. MIT licence.

import Dispatch
import Foundation

/// The lines that a person types.
///
/// The terminal stays in its ordinary mode, so the system edits the line, and a killed program leaves nothing to mend.
struct Terminal: Sendable {
  let isTerminal = isatty(STDIN_FILENO) == 1
  private let lines: AsyncStream<String>

  init() {
    let (lines, typed) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    // It waits on a thread of its own, so that no task does.
    Thread.detachNewThread {
      while let line = readLine() { typed.yield(line) }
      typed.finish()
    }
  }

  /// The next line; nil at the end of the input, and once the task is cancelled.
  func line() async -> String? {
    for await line in lines { return line }
    return nil
  }

  /// The next line, which the terminal does not show; the person is asked once it would not.
  func hiddenLine(_ ask: () async -> Void) async -> String? {
    var former = termios()
    tcgetattr(STDIN_FILENO, &former)
    var silent = former
    silent.c_lflag &= ~tcflag_t(ECHO)
    if isTerminal { tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) }
    defer { if isTerminal { tcsetattr(STDIN_FILENO, TCSADRAIN, &former) } }
    await ask()
    return await line()
  }

  /// Calls a closure at Ctrl-C and when the program is asked to end, as long as the result lives.
  static func onInterruption(_ stop: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: stop)
      source.resume()
      return source
    }
  }
}
