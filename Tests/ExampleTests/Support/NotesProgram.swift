// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation
import Synchronization
import Testing

/// The built program `notes`, in a terminal of its own.
final class NotesProgram: Sendable {
  private struct State {
    var screen = TerminalScreen(rows: 30, columns: 110)
    var hasEnded = false
    /// All that was ever shown, with the characters that steer the terminal.
    var written: [UInt8] = []
  }

  private let process: Process
  /// The world, whose folders go with it.
  private let world: NotesWorld
  private let keyboard = Pipe()
  private let output = Pipe()
  private let state = Mutex(State())

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - folder: The folder of the device.
  ///   - server: The server's address.
  ///   - inTerminal: Whether it has a terminal, or pipes.
  ///   - world: The world of the device.
  /// - Throws: An error of the system if the program does not start.
  init(in folder: URL, server: URL, inTerminal: Bool, of world: NotesWorld) throws {
    self.world = world
    // A program that has ended takes no keys, and that must not end the tests.
    signal(SIGPIPE, SIG_IGN)
    process = Process()
    process.executableURL = URL(filePath: inTerminal ? "/usr/bin/script" : "/bin/sh")
    // After the program, the terminal says in which mode it was left.
    let line = #"""
      trap : INT; stty rows 30 cols 110; "$NOTES" "$FOLDER" "$SERVER" 1; echo "ended $?"; stty -a
      """#
    process.arguments =
      inTerminal
      ? ["-qec", line, "/dev/null"] : ["-c", #"exec "$NOTES" "$FOLDER" "$SERVER" 1"#]
    process.environment = [
      "PATH": "/usr/bin:/bin", "SHELL": "/bin/sh", "TERM": "xterm",
      "NOTES": BuiltProgram.file("notes").path, "FOLDER": folder.path,
      "SERVER": server.absoluteString,
    ]
    process.standardInput = keyboard
    process.standardOutput = output
    output.fileHandleForReading.readabilityHandler = { [weak self] file in
      let bytes = file.availableData
      if bytes.isEmpty { file.readabilityHandler = nil }
      self?.state.withLock { state in
        state.screen.take(bytes)
        state.written += bytes
        if bytes.isEmpty { state.hasEnded = true }
      }
    }
    try process.run()
  }

  deinit {
    output.fileHandleForReading.readabilityHandler = nil
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  var screen: String { state.withLock(\.screen.text) }

  /// Whether a text was on the screen at any time.
  func hasShown(_ text: String) -> Bool {
    String(decoding: state.withLock(\.written), as: UTF8.self).contains(text)
  }

  /// Whether the program draws on a screen of its own.
  var usesOwnScreen: Bool { state.withLock(\.screen.isAlternate) }

  /// Types a line.
  func type(_ line: String) { press(line + "\n") }

  func press(_ keys: String) {
    try? keyboard.fileHandleForWriting.write(contentsOf: Data(keys.utf8))
  }

  /// Ends the input.
  func hangUp() { try? keyboard.fileHandleForWriting.close() }

  /// Waits until the screen shows all texts, and fails after a minute.
  func shows(_ texts: String..., location: SourceLocation = #_sourceLocation) async {
    await waits("\(texts)", location) { screen in texts.allSatisfy(screen.contains) }
  }

  /// Waits until all texts were written at some time.
  func hasPrinted(_ texts: String..., location: SourceLocation = #_sourceLocation) async {
    await waits("\(texts)", location) { _ in texts.allSatisfy(hasShown) }
  }

  /// Waits until a text is no longer on the screen.
  func hides(_ text: String, location: SourceLocation = #_sourceLocation) async {
    await waits("no \(text)", location) { !$0.contains(text) }
  }

  /// Waits until the program and its terminal have ended; returns what the terminal shows in the end.
  func end(location: SourceLocation = #_sourceLocation) async -> String {
    // On a busy machine, `script` may miss the end of its program, and wait for keys. The last mode of the terminal is there then.
    await waits("the end", location) { screen in
      self.state.withLock(\.hasEnded) || screen.contains("ended ") && screen.contains("extproc")
    }
    return screen
  }

  /// The number of a note that is shown, or of a conflict.
  func number(of text: String) throws -> Int64 {
    let line = try #require(
      screen.split(separator: "\n").first { $0.contains(text) }, "\(text) is not in:\n\(screen)")
    let digits = line.drop { !$0.isNumber }.prefix(while: \.isNumber)
    return try #require(Int64(digits))
  }

  private func waits(
    _ wanted: String, _ location: SourceLocation, until isTrue: (String) -> Bool
  ) async {
    if await eventually({ isTrue(self.screen) }) { return }
    Issue.record("The screen should show \(wanted). It shows:\n\(screen)", sourceLocation: location)
  }
}
