// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The processes of a real server, from their start to their certain end.
///
/// A shell runs between this process and the script, and waits on a pipe. However this process
/// ends, the pipe closes with it. The shell then stops the server and removes its files.
final class RealServerProcess: Sendable {
  /// The server's address.
  let address: String
  let folder: TemporaryDirectory
  private let shell: Process
  private let lifeline: Pipe
  /// The script's process, which leads a group of all processes it started except PostgreSQL; nil if the shell
  /// did not start it.
  private let script: pid_t?

  /// Each server has its own database, and machines that run tests have few cores.
  private static let places = DispatchSemaphore(value: 4)

  private static let guardian = """
    set -m
    folder=$1; shift
    trap : HUP INT TERM
    "$@" </dev/null & server=$!
    echo "$server"
    exec >&-
    read -r line
    kill -TERM "$server"
    wait "$server"
    [ -e "$folder/pg/postmaster.pid" ] || rm -rf -- "$folder"
    """

  /// Starts the script and waits until the server answers; blocks.
  init(script path: String, arguments: [String], folder: TemporaryDirectory) throws {
    self.folder = folder
    shell = Process()
    lifeline = Pipe()
    guard Self.places.wait(timeout: .now() + 180) == .success else {
      throw RealServerError("The other real servers did not end within three minutes.")
    }
    let output = Pipe()
    let log = folder.url.appending(path: "start.log")
    do {
      try Data().write(to: log)
      shell.executableURL = URL(filePath: "/bin/bash")
      shell.arguments = ["-c", Self.guardian, "guardian", folder.url.path, path] + arguments
      shell.standardInput = lifeline
      shell.standardOutput = output
      shell.standardError = try FileHandle(forWritingTo: log)
      // The child inherits this thread's blocked signals, and libdispatch's threads block SIGTERM.
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      try shell.run()
    } catch {
      Self.places.signal()
      throw error
    }
    // This process must close its copy of the pipe's end, or it could not see the end of the
    // output.
    try? output.fileHandleForWriting.close()
    var lines = LineReader(output.fileHandleForReading)
    let end = Date(timeIntervalSinceNow: 120)
    script = lines.next(until: end).flatMap { pid_t($0) }
    let ready = lines.next(until: end)
    address = ready.flatMap { $0.hasPrefix("ready ") ? String($0.dropFirst(6)) : nil } ?? ""
    if address.isEmpty {
      let reason = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
      try? stop()
      throw RealServerError("The server did not start. \(reason)")
    }
  }

  /// Stops the server and waits until all of it has ended; blocks.
  func stop() throws {
    defer { Self.places.signal() }
    try? lifeline.fileHandleForWriting.close()
    let isGone = Self.waits(seconds: 30) { !self.shell.isRunning }
    // PostgreSQL removes this file when it ends normally, so it is read before the folder is
    // removed.
    let database = postmaster()
    if !isGone {
      if let script { kill(-script, SIGKILL) }
      kill(shell.processIdentifier, SIGKILL)
    }
    if let database { kill(database, SIGKILL) }
    guard isGone, database == nil else {
      throw RealServerError("The server had to be killed: it did not end within 30 seconds.")
    }
  }

  private func postmaster() -> pid_t? {
    let file = folder.url.appending(path: "pg/postmaster.pid")
    let text = try? String(contentsOf: file, encoding: .utf8)
    return text.flatMap { $0.split(separator: "\n").first }.flatMap { pid_t($0) }
  }

  private static func waits(seconds: Double, for condition: () -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while !condition() {
      if Date() > deadline { return false }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return true
  }
}
