// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation
package import LoopbackParse

/// A real, unmodified Parse Server on PostgreSQL, started by `Tools/RealServer/start` or by the script
/// that `FERRY_REAL_SERVER` names.
///
/// The script takes `--port`, `--dir`, `--set`, `--icu`, `--cloud` and `--cluster`, and prints `ready URL`.
package final class RealServer: Sendable {
  /// How the server differs from the script's own choice.
  package struct Options: Sendable, Equatable {
    /// Parse Server's options, over those of the script.
    package var settings: [String: LoopbackValue] = [:]
    /// The locale by which the database sorts text, as `en-US`; nil for the order of code points.
    package var collation: String?
    /// JavaScript for the server to load.
    package var cloudCode: String?
    /// How many processes answer behind the one port.
    package var processes: Int

    /// - Parameters:
    ///   - settings: Parse Server's options, over those of the script.
    ///   - collation: The locale by which the database sorts text.
    ///   - cloudCode: JavaScript for the server to load.
    ///   - breaksBatches: Whether every batch fails, as on an install with another `router`.
    ///   - processes: How many processes answer behind the one port.
    package init(
      settings: [String: LoopbackValue] = [:], collation: String? = nil, cloudCode: String? = nil,
      breaksBatches: Bool = false, processes: Int = 1
    ) {
      self.settings = settings
      self.collation = collation
      self.cloudCode = cloudCode
      self.processes = processes
      if breaksBatches {
        self.settings["middleware"] = .string(
          RealServer.folder.appending(path: "broken-batch.cjs").path)
      }
    }
  }

  /// The script that starts a server; nil where none can be started.
  ///
  /// Set to nothing, `FERRY_REAL_SERVER` says that none is wanted.
  package static let script: String? = {
    if let named = ProcessInfo.processInfo.environment["FERRY_REAL_SERVER"] {
      return named.isEmpty ? nil : named
    }
    return modules == nil ? nil : folder.appending(path: "start").path
  }()

  /// Where Parse Server's own modules are installed; nil where they, or what they need, are not.
  package static let modules: String? = try? installed()

  private static func installed() throws -> String? {
    let check = Process()
    let output = Pipe()
    check.executableURL = folder.appending(path: "start")
    check.arguments = ["--check"]
    check.standardInput = FileHandle.nullDevice
    check.standardOutput = output
    check.standardError = FileHandle.nullDevice
    try check.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    check.waitUntilExit()
    return check.terminationStatus == 0 ? text.split(separator: "\n").last.map(String.init) : nil
  }

  /// The project's own script and what lies beside it.
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Tools/RealServer").standardized

  /// Where it answers, mount path included.
  package let url: URL
  let options: Options
  private let process: RealServerProcess

  /// The major version of its PostgreSQL, as `15`.
  package var databaseVersion: String {
    let file = process.folder.url.appending(path: "pg/PG_VERSION")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Runs a server for as long as the body takes; nothing of it is left afterwards.
  package static func running<Result>(
    _ options: Options = Options(), _ body: (RealServer) async throws -> Result
  ) async throws -> Result {
    let server = try await onOwnThread { try RealServer(options) }
    let result: Result
    do {
      result = try await body(server)
    } catch {
      try? await onOwnThread { try server.process.stop() }
      throw error
    }
    try await onOwnThread { try server.process.stop() }
    return result
  }

  /// Runs SQL in the server's database, beside Parse Server; returns its rows as text.
  package func sql(_ statement: String) async throws -> String {
    try await onOwnThread { try self.run(sql: statement) }
  }

  /// Does the same on this thread, which it blocks.
  @discardableResult
  package func run(sql statement: String) throws -> String {
    let file = process.folder.url.appending(path: "options.json")
    let options = try LoopbackValue(json: Array(Data(contentsOf: file)))
    let address = options["databaseURI"]?.string ?? ""
    let psql = Process()
    let output = Pipe()
    psql.executableURL = URL(filePath: "/usr/bin/env")
    psql.arguments = ["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", statement, address]
    psql.standardInput = FileHandle.nullDevice
    psql.standardOutput = output
    try psql.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    psql.waitUntilExit()
    guard psql.terminationStatus == 0 else { throw RealServerError("psql refused: \(statement)") }
    return text
  }

  /// Starts a server, which runs until it is stopped or this process ends; blocks.
  init(_ options: Options) throws {
    self.options = options
    guard let script = Self.script else {
      throw RealServerError("No real server can be started here; Tools/RealServer/start says why.")
    }
    let folder = try TemporaryDirectory()
    var arguments = ["--port", String(try freePort()), "--dir", folder.url.path]
    arguments += ["--set", LoopbackValue.object(options.settings).text]
    if let collation = options.collation { arguments += ["--icu", collation] }
    if options.processes > 1 { arguments += ["--cluster", String(options.processes)] }
    if let cloudCode = options.cloudCode {
      let file = folder.url.appending(path: "main.js")
      try Data(cloudCode.utf8).write(to: file)
      arguments += ["--cloud", file.path]
    }
    process = try RealServerProcess(script: script, arguments: arguments, folder: folder)
    guard let url = URL(string: process.address) else {
      throw RealServerError("\(process.address) is no address.")
    }
    self.url = url
  }

  /// Stops it and waits until nothing of it is left; blocks.
  func stop() throws { try process.stop() }
}

/// Why a real server cannot be had or does not do as it is told.
package struct RealServerError: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// Does something that blocks on a thread of its own, away from the cooperative pool.
package func onOwnThread<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Swift.Result { try work() })
    }
  }
}
