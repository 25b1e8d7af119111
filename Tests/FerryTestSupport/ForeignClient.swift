// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation
package import LoopbackParse
import Synchronization

/// Another app on the same server: Parse's own JavaScript SDK in a process of its own.
///
/// Nothing of it is Ferry's, so that both cannot make the same mistake. What it can be told stands in
/// `Tools/RealServer/foreign-client.cjs`.
package final class ForeignClient: Sendable {
  package typealias Row = [String: LoopbackValue]

  private let process = Process()
  private let input = Pipe()
  private let output: Mutex<LineReader>

  /// Starts an app that nobody is logged into.
  package init(_ url: URL) throws {
    guard let modules = RealServer.modules else {
      throw RealServerError(
        "Parse's JavaScript SDK is not installed; Tools/RealServer/start says why.")
    }
    // Writing to an app that has ended is an error to be told, not the end of the tests.
    signal(SIGPIPE, SIG_IGN)
    let answers = Pipe()
    output = Mutex(LineReader(answers.fileHandleForReading))
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "node", RealServer.folder.appending(path: "foreign-client.cjs").path, modules,
      url.absoluteString,
    ]
    process.standardInput = input
    process.standardOutput = answers
    try process.run()
    try? answers.fileHandleForWriting.close()
  }

  /// Its input ends, and with it the app.
  deinit { try? input.fileHandleForWriting.close() }

  /// Carries out a command and returns what the app saw.
  ///
  /// - Throws: `LoopbackError` with the code that the app's SDK threw.
  @discardableResult
  package func tell(_ command: String, _ parameters: Row = [:]) async throws -> LoopbackValue {
    var line = parameters
    line["do"] = .string(command)
    let text = LoopbackValue.object(line).text + "\n"
    let answer = try await onOwnThread { [self] in
      try output.withLock { output in
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        guard let line = output.next(until: Date(timeIntervalSinceNow: 60)) else {
          throw RealServerError("The other app did not answer: \(command).")
        }
        return try LoopbackValue(json: Array(line.utf8))
      }
    }
    guard let error = answer["error"] else { return answer["answer"] ?? .null }
    throw LoopbackError(
      code: Int(error["code"]?.number ?? 0), message: error["message"]?.string ?? "")
  }
}

extension ForeignClient {
  /// Saves an object, a new one without an id, and returns it as the app has it then.
  @discardableResult
  package func save(_ className: String, _ objectID: String? = nil, _ fields: Row) async throws
    -> Row
  {
    var parameters: Row = ["className": .string(className), "fields": .object(fields)]
    if let objectID { parameters["objectId"] = .string(objectID) }
    return try await tell("save", parameters).object ?? [:]
  }

  /// Saves new objects at once, as the app does it, and returns their ids.
  package func saveAll(_ className: String, _ rows: [Row]) async throws -> [String] {
    let answer = try await tell(
      "saveAll", ["className": .string(className), "rows": .array(rows.map { .object($0) })])
    return answer.array?.compactMap { $0["objectId"]?.string } ?? []
  }

  package func destroy(_ className: String, _ objectID: String) async throws {
    try await tell("destroy", ["className": .string(className), "objectId": .string(objectID)])
  }

  /// Everything the app sees of a class, by id.
  package func rows(of className: String) async throws -> [String: Row] {
    let rows = try await tell("find", ["className": .string(className)]).array ?? []
    let named = rows.compactMap(\.object).map { ($0["objectId"]?.string ?? "", $0) }
    return Dictionary(named, uniquingKeysWith: { first, _ in first })
  }

  /// Signs a user up, as whom the app acts from then on.
  package func signUp(_ name: String) async throws -> (objectID: String, token: String) {
    let user = try await tell("signUp", ["username": .string(name), "password": "secret"])
    return (user["objectId"]?.string ?? "", user["sessionToken"]?.string ?? "")
  }
}
