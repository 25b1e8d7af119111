// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// A deletion log that errs or lies costs requests, and no row.
@Suite(.timeLimit(.minutes(3))) struct LyingLogTests {
  /// Lets the log answer so from now on.
  private static func answer(_ response: HTTPResponse, _ bench: StageBench) {
    bench.network.setFault { $0.path == LoggedDeletionTests.log ? .answered(response) : nil }
  }

  @Test func `a log that names records that are there removes none of them`() throws {
    let (bench, ids) = try LoggedDeletionTests.settled()
    try bench.delete("Game", [ids[0]])
    let team = try bench.create("League", ["name": "North"])
    let named = ids + ["unknown", team, "../Game", "\u{0}", "' OR 1=1"]
    Self.answer(LoggedDeletionTests.answer(ids: named, until: "99"), bench)
    let report = try bench.pull()
    #expect(report.classes["Game"]?.removed == 1 && report.guarded.isEmpty)
    #expect(try Set(bench.games().keys) == Set(ids.dropFirst()))
    #expect(try bench.store.read { try $0.records(of: "League").count } == 1)
  }

  @Test func `a log that leaves a deletion out is corrected by a comparison`() throws {
    let (bench, ids) = try LoggedDeletionTests.settled()
    try bench.delete("Game", [ids[0]])
    Self.answer(LoggedDeletionTests.answer(ids: [], until: "99"), bench)
    try bench.pull()
    #expect(try bench.game(ids[0]) != nil)
    try bench.pull(comparing: .everything)
    #expect(try bench.game(ids[0]) == nil)
  }

  /// The proof asks for a record that must appear as well: here the one that the log left out.
  @Test func `a proof that fails begins the log anew, and the next sync compares`() throws {
    let (bench, ids) = try LoggedDeletionTests.settled()
    let first = try #require(bench.games().values.min { $0.localID < $1.localID })
    let other = try #require(ids.first { $0 != first.objectID })
    try bench.delete("Game", [first.objectID, other])
    Self.answer(LoggedDeletionTests.answer(ids: [other], until: "99"), bench)
    #expect(try bench.pull().notices.contains { $0.code == .absenceUnproven })
    #expect(try bench.games().count == ids.count)
    #expect(try bench.position() == nil)
    #expect(try bench.pull().classes["Game"]?.removed == 2)
  }

  /// Answers that are none of the log's.
  private static let useless: [(String, HTTPResponse)] =
    ForeignAnswers.useless + [
      (
        "a cut answer", ForeignAnswers.text(200, #"{"result":{"protocol":1,"class":"Game","ids":["#)
      ),
      ("another class", LoggedDeletionTests.answer(ids: ["a"], until: "9", className: "Team")),
      ("an id that is a number", ForeignAnswers.text(200, result(#""ids":[1],"until":"9""#))),
      ("an empty id", ForeignAnswers.text(200, result(#""ids":[""],"until":"9""#))),
      ("an empty place", ForeignAnswers.text(200, result(#""ids":[],"until":"""#))),
      ("no place", ForeignAnswers.text(200, result(#""ids":[]"#))),
      (
        "another protocol",
        ForeignAnswers.text(200, result(#""ids":[],"until":"9""#).replacing("1", with: "2"))
      ),
      (
        "too many ids",
        LoggedDeletionTests.answer(ids: (0..<1_001).map { "id\($0)" }, until: "9")
      ),
      (
        "a long id",
        LoggedDeletionTests.answer(ids: [String(repeating: "a", count: 201)], until: "9")
      ),
      (
        "a long place",
        LoggedDeletionTests.answer(ids: [], until: String(repeating: "1", count: 301))
      ),
    ]

  @Test func `an answer that is none of the log is told, and counts are compared`() throws {
    for (name, response) in Self.useless {
      let (bench, ids) = try LoggedDeletionTests.settled()
      try bench.delete("Game", [ids[7]])
      Self.answer(response, bench)
      let report = try bench.pull()
      #expect(report.logNotices.count == 1, "\(name)")
      #expect(report.classes["Game"]?.removed == 1, "\(name)")
      #expect(try bench.games().count == ids.count - 1, "\(name)")
      // The log is asked again in a day, from where it was read to.
      bench.network.setFault(nil)
      bench.wait(.seconds(86_401))
      #expect(try bench.pull().logNotices.isEmpty, "\(name)")
    }
  }

  @Test func `a refusal of the moment lets one sync compare counts`() throws {
    for (name, response) in ForeignAnswers.refusals {
      let (bench, ids) = try LoggedDeletionTests.settled()
      let place = try bench.position()
      try bench.delete("Game", [ids[7]])
      Self.answer(response, bench)
      let report = try bench.pull()
      #expect(report.logNotices.count == 1, "\(name)")
      #expect(report.classes["Game"]?.removed == 1, "\(name)")
      #expect(try bench.position() == place, "\(name)")
      // The next sync asks again.
      bench.network.setFault(nil)
      bench.network.forget()
      #expect(try bench.pull().logNotices.isEmpty, "\(name)")
      #expect(bench.network.exchanges.contains { $0.path == LoggedDeletionTests.log }, "\(name)")
    }
  }

  /// Ten megabytes do not fit into the limit of a request, and are not read to their end.
  @Test func `a huge answer is told, and counts are compared`() throws {
    let (bench, ids) = try LoggedDeletionTests.settled()
    try bench.delete("Game", [ids[7]])
    bench.network.setFault {
      $0.path == LoggedDeletionTests.log ? .limitDivided(by: 1 << 18) : nil
    }
    let report = try bench.pull()
    #expect(report.logNotices.count == 1)
    #expect(report.classes["Game"]?.removed == 1)
  }

  @Test func `a log without an end does not keep a sync`() throws {
    let (bench, ids) = try LoggedDeletionTests.settled()
    try bench.delete("Game", [ids[7]])
    let asked = Numbers()
    bench.network.setFault { request in
      guard request.path == LoggedDeletionTests.log else { return nil }
      return .answered(
        LoggedDeletionTests.answer(ids: [ids[7]], until: "\(asked.next())", hasMore: true))
    }
    #expect(try bench.pull().classes["Game"]?.removed == 1)
    #expect(bench.network.exchanges.count { $0.path == LoggedDeletionTests.log } == 100)
    // The same page again and again is no log.
    Self.answer(LoggedDeletionTests.answer(ids: [], until: "100", hasMore: true), bench)
    #expect(try bench.pull().logNotices.count == 1)
  }

  private static func result(_ members: String) -> String {
    #"{"result":{"protocol":1,"class":"Game","hasMore":false,"isComplete":true,\#(members)}}"#
  }
}

/// Numbers, one after another.
private final class Numbers: Sendable {
  private let number = Mutex(0)

  func next() -> Int {
    number.withLock {
      $0 += 1
      return $0
    }
  }
}
