// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation
package import LoopbackParse

/// A real, unmodified Parse Server on PostgreSQL.
///
/// `Tools/RealServer/start`, or the script that `FERRY_REAL_SERVER` names, starts it. The script
/// takes `--dir`, `--set`, `--icu`, `--cloud`, `--module` and `--cluster`, and prints `ready URL`.
package final class RealServer: Sendable {
  /// The differences from the script's defaults.
  package struct Options: Sendable, Equatable {
    /// Parse Server's options, which override those of the script.
    package var settings: [String: LoopbackValue] = [:]
    /// The locale by whose rules the database sorts text, such as `en-US`; nil for code points.
    package var collation: String?
    /// JavaScript for the server to load.
    package var cloudCode: String?
    /// The options of Ferry's own Cloud Code (`Tools/CloudCode`); nil for a server without it.
    package var module: LoopbackValue?
    /// The number of processes behind the port.
    package var processes: Int

    /// - Parameters:
    ///   - settings: Parse Server's options, which override those of the script.
    ///   - collation: The locale by whose rules the database sorts text.
    ///   - cloudCode: JavaScript for the server to load.
    ///   - module: The options of Ferry's own Cloud Code; nil for a server without it.
    ///   - breaksBatches: Whether every batch fails, as on an install with another `router`.
    ///   - processes: The number of processes behind the port.
    ///   - streamsFiles: Whether files come in parts where a range is asked for, as from MongoDB.
    package init(
      settings: [String: LoopbackValue] = [:], collation: String? = nil, cloudCode: String? = nil,
      module: LoopbackValue? = nil, breaksBatches: Bool = false, processes: Int = 1,
      streamsFiles: Bool = false
    ) {
      self.settings = settings
      self.collation = collation
      self.cloudCode = cloudCode
      self.module = module
      self.processes = processes
      if breaksBatches {
        self.settings["middleware"] = .string(
          RealServer.folder.appending(path: "broken-batch.cjs").path)
      }
      if streamsFiles {
        let adapter = RealServer.folder.appending(path: "streaming-files.cjs").path
        self.settings["filesAdapter"] = ["module": .string(adapter)]
      }
    }
  }

  /// The script that starts a server; nil if none can be started.
  ///
  /// An empty `FERRY_REAL_SERVER` switches the real server off.
  package static let script: String? = {
    if let named = ProcessInfo.processInfo.environment["FERRY_REAL_SERVER"] {
      return named.isEmpty ? nil : named
    }
    return modules == nil ? nil : folder.appending(path: "start").path
  }()

  /// The folder of Parse Server's modules; nil if they, or the programs they need, are not
  /// installed.
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

  /// The project's own script and the files beside it.
  package static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Tools/RealServer").standardized

  /// The server's address, mount path included.
  package let url: URL
  let options: Options
  private let process: RealServerProcess

  /// The major version of its PostgreSQL, such as `15`.
  package var databaseVersion: String {
    let file = process.folder.url.appending(path: "pg/PG_VERSION")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Runs a server while the body runs, and removes all of it afterwards.
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

  /// The names of all files that the server keeps, also of those that no record names.
  package var fileNames: [String] { files.map(\.lastPathComponent).sorted() }

  /// Removes all files that the server keeps.
  package func removeFiles() throws {
    for file in files { try FileManager.default.removeItem(at: file) }
  }

  /// The files whose names begin with the digits that the server gives each one.
  private var files: [URL] {
    let folder = process.folder.url.appending(path: "files")
    let urls = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (urls?.compactMap { $0 as? URL } ?? []).filter {
      let digits = $0.lastPathComponent.prefix { $0.isHexDigit }
      return digits.count == 32 && $0.lastPathComponent.dropFirst(32).first == "_"
    }
  }

  /// Runs SQL directly in the server's database; returns the rows as text.
  package func sql(_ statement: String) async throws -> String {
    try await onOwnThread { try self.run(sql: statement) }
  }

  /// Runs SQL on this thread, which it blocks.
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

  /// Starts a server, which runs until `stop()` or the end of this process; blocks.
  init(_ options: Options) throws {
    self.options = options
    guard let script = Self.script else {
      throw RealServerError("No real server can be started here; Tools/RealServer/start says why.")
    }
    let folder = try TemporaryDirectory()
    var arguments = ["--dir", folder.url.path]
    arguments += ["--set", LoopbackValue.object(options.settings).text]
    if let collation = options.collation { arguments += ["--icu", collation] }
    if options.processes > 1 { arguments += ["--cluster", String(options.processes)] }
    if let module = options.module { arguments += ["--module", module.text] }
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

  /// Stops the server and waits until all of it has ended; blocks.
  func stop() throws { try process.stop() }
}

/// Why a real server cannot run or does not obey.
package struct RealServerError: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// Runs a blocking function on its own thread, away from the cooperative pool.
package func onOwnThread<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Swift.Result { try work() })
    }
  }
}
