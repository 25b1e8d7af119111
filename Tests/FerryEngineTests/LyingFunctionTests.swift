// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// A function for deletions that errs or lies costs requests, and no row.
@Suite(.timeLimit(.minutes(3))) struct LyingFunctionTests {
  /// Lets the function answer so from now on.
  private static func answer(_ response: HTTPResponse, _ bench: StageBench) {
    bench.network.setFault { $0.path == AskedDeletionTests.function ? .answered(response) : nil }
  }

  private static func removed(_ ids: [String], className: String = "Game") -> HTTPResponse {
    let result: LoopbackValue = [
      "protocol": 1, "class": .string(className), "removed": .array(ids.map(LoopbackValue.string)),
    ]
    return ForeignAnswers.text(200, LoopbackValue.object(["result": result]).text)
  }

  @Test func `a function that names records that are there removes none of them`() throws {
    let (bench, ids) = try AskedDeletionTests.settled()
    try bench.delete("Game", [ids[0]])
    Self.answer(Self.removed(ids), bench)
    let report = try bench.pull()
    #expect(report.classes["Game"]?.removed == 1 && report.guarded.isEmpty)
    #expect(
      report.functionNotices.first?.message.contains("names 29 records that are there") == true)
    #expect(try Set(bench.games().keys) == Set(ids.dropFirst()))
  }

  /// The proof asks for a record that must appear as well: the first row, unless that is named.
  @Test func `a function that names another record than the deleted one removes none`() throws {
    for isFirst in [true, false] {
      let (bench, ids) = try AskedDeletionTests.settled()
      let first = try #require(bench.games().values.min { $0.localID < $1.localID }).objectID
      let others = ids.filter { $0 != first }
      let deleted = isFirst ? first : others[0]
      try bench.delete("Game", [deleted])
      Self.answer(Self.removed([others[1]]), bench)
      // The answer explains the count, so that nothing is listed.
      let report = try bench.pull()
      let reason = isFirst ? "leaves out a record" : "names 1 record that is there"
      #expect(report.functionNotices.first?.message.contains(reason) == true)
      #expect(try bench.games().count == ids.count)
      // The function is left alone, so that it cannot do so again.
      #expect(try bench.pull().classes["Game"]?.removed == 1)
      #expect(try bench.game(deleted) == nil)
    }
  }

  @Test func `a deletion that the function leaves out is found by a list`() throws {
    let (bench, ids) = try AskedDeletionTests.settled()
    try bench.delete("Game", [ids[0], ids[5]])
    Self.answer(Self.removed([ids[5]]), bench)
    let report = try bench.pull()
    #expect(report.classes["Game"]?.removed == 2 && report.functionNotices.isEmpty)
    #expect(try Set(bench.games().keys) == Set(ids).subtracting([ids[0], ids[5]]))
  }

  /// Answers that are none of the function's.
  private static func useless(_ ids: [String]) -> [(String, HTTPResponse)] {
    let head = #"{"result":{"protocol":1,"class":"Game","#
    return ForeignAnswers.useless + [
      ("another class", removed([ids[7]], className: "Team")),
      ("an id that was not asked for", removed([ids[7], "stranger"])),
      ("an id that is a number", ForeignAnswers.text(200, head + #""removed":[1]}}"#)),
      ("no ids", ForeignAnswers.text(200, head + "}}")),
      ("a cut answer", ForeignAnswers.text(200, head + #""removed":["#)),
      (
        "another protocol",
        ForeignAnswers.text(200, #"{"result":{"protocol":2,"class":"Game","removed":[]}}"#)
      ),
      ("too many ids", ForeignAnswers.text(400, #"{"code":142,"error":"\"ids\" may have 9"}"#)),
      (
        "no function",
        ForeignAnswers.text(400, #"{"code":141,"error":"Invalid function: \"ferryRemoved\""}"#)
      ),
    ]
  }

  @Test func `an answer that is none of the function is told, and ranges are listed`() throws {
    let (_, some) = try AskedDeletionTests.settled()
    for place in Self.useless(some).indices {
      let (bench, ids) = try AskedDeletionTests.settled()
      let (name, response) = Self.useless(ids)[place]
      try bench.delete("Game", [ids[7]])
      Self.answer(response, bench)
      let report = try bench.pull()
      #expect(report.functionNotices.count == 1, "\(name)")
      #expect(report.classes["Game"]?.removed == 1, "\(name)")
      #expect(try Set(bench.games().keys) == Set(ids).subtracting([ids[7]]), "\(name)")
      // The function is asked again in a day.
      bench.network.setFault(nil)
      bench.network.forget()
      try bench.delete("Game", [ids[8]])
      #expect(try bench.pull().classes["Game"]?.removed == 1 && bench.asked.isEmpty, "\(name)")
      bench.wait(.seconds(86_401))
      try bench.delete("Game", [ids[9]])
      #expect(try bench.pull().functionNotices.isEmpty && bench.asked.count == 1, "\(name)")
    }
  }

  @Test func `a refusal of the moment lets one sync list`() throws {
    for (name, response) in ForeignAnswers.refusals {
      let (bench, ids) = try AskedDeletionTests.settled()
      try bench.delete("Game", [ids[7]])
      Self.answer(response, bench)
      let report = try bench.pull()
      #expect(report.functionNotices.count == 1, "\(name)")
      #expect(report.classes["Game"]?.removed == 1, "\(name)")
      // The next sync asks again.
      bench.network.setFault(nil)
      bench.network.forget()
      try bench.delete("Game", [ids[8]])
      #expect(try bench.pull().functionNotices.isEmpty, "\(name)")
      #expect(bench.asked.count == 1, "\(name)")
    }
  }

  /// Ten megabytes do not fit into the limit of a request, and are not read to their end.
  @Test func `a huge answer is told, and ranges are listed`() throws {
    let (bench, ids) = try AskedDeletionTests.settled()
    try bench.delete("Game", [ids[7]])
    bench.network.setFault {
      $0.path == AskedDeletionTests.function ? .limitDivided(by: 1 << 18) : nil
    }
    let report = try bench.pull()
    #expect(report.functionNotices.count == 1)
    #expect(report.classes["Game"]?.removed == 1)
  }
}
