// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Testing

@testable import FerrySQLite

/// Dates as SQL writes them, beside the form that Ferry writes.
@Suite(.timeLimit(.minutes(1)))
struct DateColumnTests {
  @Test(arguments: [
    ("'2020-01-02'", "2020-01-02T00:00:00.000Z"),
    ("'2020-01-02 03:04'", "2020-01-02T03:04:00.000Z"),
    ("'2020-01-02T03:04'", "2020-01-02T03:04:00.000Z"),
    ("datetime('2020-01-02 03:04:05')", "2020-01-02T03:04:05.000Z"),
    ("date('2020-01-02 03:04:05')", "2020-01-02T00:00:00.000Z"),
    ("strftime('%Y-%m-%dT%H:%M:%SZ', '2020-01-02 03:04:05')", "2020-01-02T03:04:05.000Z"),
    ("strftime('%Y-%m-%d %H:%M:%f', '2020-01-02 03:04:05.678')", "2020-01-02T03:04:05.678Z"),
    ("'2020-01-02T03:04:05.6789123Z'", "2020-01-02T03:04:05.678Z"),
    ("'2020-01-02 03:04:05.5'", "2020-01-02T03:04:05.500Z"),
    ("'2020-01-02T03:04:05+01:00'", "2020-01-02T02:04:05.000Z"),
    ("'2020-01-02 03:04:05.250-01:30'", "2020-01-02T04:34:05.250Z"),
    ("'2020-01-02T03:04:05.678Z'", "2020-01-02T03:04:05.678Z"),
  ])
  func `a date in any form of SQLite's is one instant of UTC`(
    expression: String, text: String
  ) throws {
    let world = try TestWorld()
    try world.foreign("INSERT INTO Game (playedAt) VALUES (\(expression))")
    let expected = Value.date(try #require(Timestamp(text)))
    #expect(try world.store.read { try $0.records(of: "Game") }.first?["playedAt"] == expected)
    try world.foreign("UPDATE Game SET playedAt = NULL")
    #expect(try world.log().last?.kind == .update(old: ["playedAt": expected]))
  }

  @Test(arguments: [
    "'yesterday'", "'2020-02-30'", "'2020-01-02 25:00'", "unixepoch()", "1577934245000",
    "julianday('2020-01-02')", "'03:04:05'", "'2020-01-02 03:04:05 CET'", "'20200102'", "''",
    "'2020-01-02T'", "'2020-01-02T03:04:05.Z'", "'2020-01-02T03:04:05+25:00'",
  ])
  func `a date that could mean several instants stays the text it is`(expression: String) throws {
    let world = try TestWorld()
    try world.foreign("INSERT INTO Game (playedAt) VALUES (\(expression))")
    let value = try #require(try world.store.read { try $0.records(of: "Game") }.first)["playedAt"]
    guard case .string = value else {
      Issue.record("\(value)")
      return
    }
    let refusal = try #require(value.reason(againstWritingTo: .date))
    #expect(refusal.sentence.contains("2026-03-01T18:30:00.250Z"), "\(refusal.sentence)")
  }
}
