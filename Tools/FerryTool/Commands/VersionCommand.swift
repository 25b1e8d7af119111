// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry version` and `ferry --version`.
struct VersionCommand {
  static let version = "0.1.0"

  var console: Console

  func run() -> ExitCode {
    console.message(JSONMessage("version", ["version": .string(Self.version)]))
    console.result("ferry \(Self.version)")
    return .success
  }
}
