// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning
import Testing

@testable import FerryTool

@Suite(.timeLimit(.minutes(10)))
struct SyncFlagsTests {
  private func parsed(_ line: String) throws -> ParsedCommand {
    let words = line.split(separator: " ").map(String.init)
    guard case .command(let command) = try ArgumentParser.parse(words) else {
      throw Failure(usage: "This asks for help.")
    }
    return command
  }

  @Test func `flags choose the stages of plan and sync`() throws {
    #expect(try StageSelection(flags: parsed("sync")) == .all)
    for stage in StageName.allCases {
      #expect(try StageSelection(flags: parsed("sync --only \(stage.rawValue)")) == .only(stage))
      #expect(
        try StageSelection(flags: parsed("plan --through \(stage.rawValue)")) == .through(stage))
    }
    #expect(throws: Failure.self) {
      try StageSelection(flags: parsed("sync --only import --through import"))
    }
  }

  @Test(arguments: [
    ("50", RemovalLimit(share: 0, count: 50)), ("0", RemovalLimit(share: 0, count: 0)),
    ("5%", RemovalLimit(share: 0.05, count: 0)),
    ("12.5%", RemovalLimit(share: 0.125, count: 0)),
    ("100%", RemovalLimit(share: 1, count: 0, allowsEmptying: true)),
  ])
  func `flags limit removals by number or share`(text: String, limit: RemovalLimit) throws {
    let options = try SyncOptions(flags: parsed("sync --max-delete \(text)"))
    #expect(options.removalLimit == limit)
  }

  @Test(arguments: [("20", 20.0), ("1", 1), ("1.5", 1.5), ("86400", 86_400)])
  func `a flag says how long the server may be silent`(text: String, seconds: Double) throws {
    let options = try SyncOptions(flags: parsed("sync --timeout \(text)"))
    #expect(options.timeout == .seconds(seconds))
  }

  @Test(arguments: ["0", "-5", "x", "nan", "inf", "86401", "20s"])
  func `an unreadable timeout is refused`(text: String) {
    #expect(throws: Failure.self) {
      try SyncOptions(flags: parsed("sync --timeout \(text)"))
    }
  }

  @Test func `a flag says how many records to take without a count`() throws {
    #expect(try SyncOptions(flags: parsed("sync")).uncountedLimit == 1_000_000)
    let options = try SyncOptions(flags: parsed("sync --max-uncounted 5000000"))
    #expect(options.uncountedLimit == 5_000_000)
  }

  @Test(arguments: ["0", "-5", "x", "1.5", "5%", "1000000001"])
  func `an unreadable limit for records without a count is refused`(text: String) {
    #expect(throws: Failure.self) {
      try SyncOptions(flags: parsed("sync --max-uncounted \(text)"))
    }
  }

  @Test func `flags name the removals that may pass`() throws {
    #expect(try parsed("sync --confirm a b --confirm c").values(.confirm) == ["a", "b", "c"])
  }

  @Test(arguments: ["-1", "x", "101%", "-5%", "%", "1.5", "nan%"])
  func `an unreadable removal limit is refused`(text: String) {
    #expect(throws: Failure.self) { try RemovalLimit(flag: text) }
  }

  @Test func `missing flags leave the defaults`() throws {
    #expect(try SyncOptions(flags: parsed("sync")).removalLimit == RemovalLimit())
  }
}
