// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// Asks for a password at the terminal, which shows nothing of what is typed.
///
/// It uses the process's own terminal, so that a password can be typed while standard input is a pipe.
struct PasswordPrompt {
  var question: String
  var interruption: Interruption

  /// Reads a line; with `repeated`, twice, and both must be equal.
  ///
  /// - Throws: The failure of the command, without a terminal, after Ctrl-C, and for an empty password.
  func password(repeated: Bool) throws(Failure) -> Secret {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    var former = termios()
    guard terminal >= 0, tcgetattr(terminal, &former) == 0 else {
      if terminal >= 0 { close(terminal) }
      throw Failure(
        usage:
          "There is no terminal to ask for the password. Nothing was sent. Put it into a file, and name it with "
          + "--password-file.")
    }
    defer { close(terminal) }
    var silent = former
    silent.c_lflag &= ~tcflag_t(ECHO)
    // Ctrl-C must not leave a terminal behind that shows nothing.
    interruption.watch()
    tcsetattr(terminal, TCSAFLUSH, &silent)
    defer { tcsetattr(terminal, TCSAFLUSH, &former) }
    let password = try line(question, from: terminal)
    guard !password.isEmpty else {
      throw Failure(usage: "The password is empty. Nothing was sent.")
    }
    if repeated, try line("Again: ", from: terminal) != password {
      throw Failure(usage: "The two passwords differ. Nothing was sent. Start again.")
    }
    return Secret(password)
  }

  private func line(_ question: String, from terminal: Int32) throws(Failure) -> String {
    say(question, to: terminal)
    defer { say("\n", to: terminal) }
    var bytes: [UInt8] = []
    while bytes.last != UInt8(ascii: "\n"), interruption.exitCode == nil {
      var ready = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 100) > 0 else { continue }
      var byte: UInt8 = 0
      guard read(terminal, &byte, 1) == 1 else { break }
      bytes.append(byte)
    }
    guard interruption.exitCode == nil else {
      throw Failure(.interrupted, "cancelled", "ferry was stopped. Nothing was sent.")
    }
    let typed = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
    guard let line = String(validating: typed, as: UTF8.self) else {
      throw Failure(
        usage: "The password is not in UTF-8, so nothing was sent. Set the terminal to UTF-8.")
    }
    return line
  }

  private func say(_ text: String, to terminal: Int32) {
    _ = Array(text.utf8).withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
  }
}
