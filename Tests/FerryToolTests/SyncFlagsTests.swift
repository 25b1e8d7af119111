// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning
import Testing

@testable import FerryTool

@Suite("Flags of plan and sync", .timeLimit(.minutes(10)))
struct SyncFlagsTests {
  private func parsed(_ line: String) throws -> ParsedCommand {
    let words = line.split(separator: " ").map(String.init)
    guard case .command(let command) = try ArgumentParser.parse(words) else {
      throw UsageError("This asks for help.")
    }
    return command
  }

  @Test("choose stages")
  func selection() throws {
    #expect(try StageSelection(flags: parsed("sync")) == .all)
    for stage in StageName.allCases {
      #expect(try StageSelection(flags: parsed("sync --only \(stage.rawValue)")) == .only(stage))
      #expect(
        try StageSelection(flags: parsed("plan --through \(stage.rawValue)")) == .through(stage))
    }
    #expect(throws: UsageError.self) {
      try StageSelection(flags: parsed("sync --only import --through import"))
    }
  }

  @Test(
    "limit removals by number or share",
    arguments: [
      ("50", RemovalLimit(share: 0, count: 50)), ("0", RemovalLimit(share: 0, count: 0)),
      ("5%", RemovalLimit(share: 0.05, count: 0)),
      ("12.5%", RemovalLimit(share: 0.125, count: 0)),
      ("100%", RemovalLimit(share: 1, count: 0, allowsEmptying: true)),
    ])
  func removals(text: String, limit: RemovalLimit) throws {
    let options = try SyncOptions(flags: parsed("sync --max-delete \(text)"))
    #expect(options.removalLimit == limit)
  }

  @Test(
    "say how long the server may be silent",
    arguments: [("20", 20.0), ("1", 1), ("1.5", 1.5), ("86400", 86_400)])
  func timeout(text: String, seconds: Double) throws {
    let options = try SyncOptions(flags: parsed("sync --timeout \(text)"))
    #expect(options.timeout == .seconds(seconds))
  }

  @Test("refuse timeouts that are none", arguments: ["0", "-5", "x", "nan", "inf", "86401", "20s"])
  func noTimeout(text: String) {
    #expect(throws: UsageError.self) {
      try SyncOptions(flags: parsed("sync --timeout \(text)"))
    }
  }

  @Test("name the removals that may pass")
  func confirmations() throws {
    #expect(try parsed("sync --confirm a b --confirm c").values(.confirm) == ["a", "b", "c"])
  }

  @Test(
    "refuse limits that say nothing", arguments: ["-1", "x", "101%", "-5%", "%", "1.5", "nan%"])
  func noLimit(text: String) {
    #expect(throws: UsageError.self) { try RemovalLimit(flag: text) }
  }

  @Test("leave the defaults where they are not given")
  func defaults() throws {
    #expect(try SyncOptions(flags: parsed("sync")).removalLimit == RemovalLimit())
  }
}
