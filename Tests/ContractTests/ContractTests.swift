// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// Proves that the double answers as a real server does, by sending the same requests to both.
///
/// If `FERRY_CONTRACT_RECORD` is set, the test records the real server's answers instead of
/// comparing them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ContractTests {
  private static let records =
    ProcessInfo.processInfo.environment["FERRY_CONTRACT_RECORD"]?.isEmpty == false

  @Test(.enabled(if: !records))
  func `the double answers as recorded`() async throws {
    for file in try ContractFile.chosen() {
      let server = try file.server.startDouble(for: file.name)
      guard let address = URL(string: server.url) else { continue }
      let outcomes = try await ContractPlayer.play(file, on: address)
      try ContractScore.note(file, on: "double", Self.judge(file, outcomes, knowsDifferences: true))
      server.stop()
    }
  }

  @Test(.enabled(if: RealServer.script != nil))
  func `the real server answers as recorded`() async throws {
    let groups = Dictionary(grouping: try ContractFile.chosen(), by: \.server)
    for (options, files) in groups.sorted(by: { $0.value[0].name < $1.value[0].name }) {
      try await RealServer.running(try options.real()) { server in
        for file in files {
          let outcomes = try await ContractPlayer.play(file, on: server.url)
          if Self.records {
            try await Self.record(file, outcomes, server)
          } else {
            try ContractScore.note(
              file, on: "real", Self.judge(file, outcomes, knowsDifferences: false))
          }
        }
      }
    }
  }

  /// Reports each exchange with a different answer; returns the number of equal answers.
  private static func judge(
    _ file: ContractFile, _ outcomes: [ContractPlayer.Outcome?], knowsDifferences: Bool
  ) -> Int {
    var equal = 0
    for (exchange, outcome) in zip(file.exchanges, outcomes) {
      guard let outcome else { continue }
      let given = try? outcome.get()
      let isEqual = given != nil && given == exchange.answer
      if isEqual { equal += 1 }
      let isKnown = knowsDifferences && exchange.difference != nil
      if isEqual == !isKnown { continue }
      let place = "\(file.name).json, “\(exchange.name)”"
      if isEqual {
        Issue.record("\(place): the double answers as the real server does; it is no difference.")
      } else {
        let text = given?.value.text ?? "\(outcome)"
        let wanted = exchange.answer?.value.text ?? "nothing is recorded"
        Issue.record("\(place)\n  recorded: \(wanted)\n  given:    \(text)")
      }
    }
    return equal
  }

  private static func record(
    _ file: ContractFile, _ outcomes: [ContractPlayer.Outcome?], _ server: RealServer
  ) async throws {
    var file = file
    for (index, outcome) in outcomes.enumerated() {
      if case .failure(let error) = outcome {
        Issue.record("\(file.name).json, “\(file.exchanges[index].name)”: \(error)")
      }
      file.exchanges[index].answer = try? outcome?.get()
    }
    let version = try await RealServerAccess(server).version()
    file.recorded = "Parse Server \(version) on PostgreSQL \(server.databaseVersion)"
    try file.write()
  }
}

extension ContractServer {
  fileprivate func real() throws -> RealServer.Options {
    let code = try cloudCode.map { name in
      try String(contentsOf: ContractFile.folder.appending(path: name + ".js"), encoding: .utf8)
    }
    return RealServer.Options(
      settings: options, collation: collation, cloudCode: code, module: module,
      processes: processes, streamsFiles: streamsFiles)
  }
}
