// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why the tool ends, with a code of `sysexits.h`.
struct ToolError: Error {
  let exitCode: Int32
  let message: String

  static func usage(_ message: String) -> ToolError {
    ToolError(exitCode: 64, message: message + "\nRun parse-loopback --help to see the options.")
  }
}
