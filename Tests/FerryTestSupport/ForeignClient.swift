// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation
package import LoopbackParse
import Synchronization

/// Another app on the same server: Parse's own JavaScript SDK in its own process.
///
/// It contains no code of Ferry, so both cannot make the same mistake.
/// `Tools/RealServer/foreign-client.cjs` lists its commands.
package final class ForeignClient: Sendable {
  package typealias Row = [String: LoopbackValue]

  private let process = Process()
  private let input = Pipe()
  private let output: Mutex<LineReader>

  /// Starts an app without a logged-in user.
  package init(_ url: URL) throws {
    guard let modules = RealServer.modules else {
      throw RealServerError(
        "Parse's JavaScript SDK is not installed; Tools/RealServer/start says why.")
    }
    // A write to an ended app must be an error, not the end of the tests.
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

  /// Closing the input ends the app.
  deinit { try? input.fileHandleForWriting.close() }

  /// Carries out a command and returns the app's answer.
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
  /// Saves an object, a new one if it has no id, and returns it as the app then has it.
  @discardableResult
  package func save(_ className: String, _ objectID: String? = nil, _ fields: Row) async throws
    -> Row
  {
    var parameters: Row = ["className": .string(className), "fields": .object(fields)]
    if let objectID { parameters["objectId"] = .string(objectID) }
    return try await tell("save", parameters).object ?? [:]
  }

  /// Saves new objects in one call and returns their ids.
  package func saveAll(_ className: String, _ rows: [Row]) async throws -> [String] {
    let answer = try await tell(
      "saveAll", ["className": .string(className), "rows": .array(rows.map { .object($0) })])
    return answer.array?.compactMap { $0["objectId"]?.string } ?? []
  }

  package func destroy(_ className: String, _ objectID: String) async throws {
    try await tell("destroy", ["className": .string(className), "objectId": .string(objectID)])
  }

  /// Everything that the app sees of a class, by id.
  package func rows(of className: String) async throws -> [String: Row] {
    let rows = try await tell("find", ["className": .string(className)]).array ?? []
    let named = rows.compactMap(\.object).map { ($0["objectId"]?.string ?? "", $0) }
    return Dictionary(named, uniquingKeysWith: { first, _ in first })
  }

  /// Signs a user up; the app acts as that user from then on.
  package func signUp(_ name: String) async throws -> (objectID: String, token: String) {
    let user = try await tell("signUp", ["username": .string(name), "password": "secret"])
    return (user["objectId"]?.string ?? "", user["sessionToken"]?.string ?? "")
  }
}
