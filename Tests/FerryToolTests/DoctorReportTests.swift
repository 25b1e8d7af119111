// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import Foundation
import Testing

@testable import FerryTool

@Suite(.timeLimit(.minutes(5)))
struct DoctorReportTests {
  private static func server(_ key: ParseServer.Key? = nil) throws -> ParseServer {
    let url = try #require(URL(string: "https://parse.example.com/1"))
    return ParseServer(url: url, applicationID: "demo", key: key)
  }

  private static func answer(
    _ body: String, _ status: Int = 200, date: String? = "Sat, 21 Nov 2026 12:00:00 GMT"
  ) -> Result<HTTPResponse, HTTPError> {
    var headers = HTTPHeaders()
    if let date { headers["Date"] = date }
    return .success(HTTPResponse(status: status, headers: headers, body: Data(body.utf8)))
  }

  /// 2026-11-21 12:00:00 UTC.
  private static let noon = Date(timeIntervalSince1970: 1_795_262_400)

  private static var healthy: ServerAnswers {
    ServerAnswers(
      results: [
        .health: answer(#"{"status":"ok"}"#),
        .serverInfo: answer(#"{"features":{},"parseServerVersion":"9.10.0"}"#),
        .schemas: answer(
          #"{"results":[{"className":"Game","indexes":{"Game_sync":{"objectId":1,"updatedAt":1}}}]}"#
        ),
        .user: answer(#"{"objectId":"u1"}"#),
        .find("Game"): answer(#"{"results":[{"objectId":"a"}]}"#),
        .count("Game"): answer(#"{"results":[],"count":12345}"#),
        .batch: answer(#"[{"success":{"results":[]}}]"#),
        .unknownOperator: answer(#"{"code":119,"error":"Postgres doesn't"}"#, 400),
        .createProbe: answer(#"{"objectId":"x","createdAt":"2026-11-21T12:00:00.000Z"}"#, 201),
        .deleteProbe: answer("{}"), .removeProbeClass: answer("{}"),
      ], localTime: noon)
  }

  private static var troubled: ServerAnswers {
    let refusal = answer(#"{"code":119,"error":"Permission denied"}"#, 400)
    return ServerAnswers(
      results: [
        .health: answer(#"{"status":"ok"}"#), .serverInfo: answer(#"{"error":"no"}"#, 403),
        .schemas: answer(#"{"error":"no"}"#, 403),
        .user: answer(#"{"code":209,"error":"Invalid session token"}"#, 400),
        .find("Game"): answer(#"{"results":[]}"#), .count("Game"): refusal,
        .find("League"): refusal, .count("League"): refusal,
        .batch: answer(#"{"code":1,"message":"Internal server error."}"#, 500),
        .unknownOperator: answer(#"{"code":107,"error":"bad constraint: $ferry"}"#, 400),
        .createProbe: answer(#"{"code":105,"error":"objectId is an invalid field name."}"#, 400),
      ], localTime: noon + 3_600)
  }

  private static func checks(
    _ answers: ServerAnswers, _ names: [String], key: ParseServer.Key? = .master("k")
  ) throws -> [Check] {
    let server = try server(key)
    let index = IndexCheck(server: server, classNames: names, answers: answers)
    return ConnectionChecks(
      server: server, classNames: names, allowsCleartext: false, answers: answers
    ).checks + names.flatMap { ClassChecks(className: $0, answers: answers).checks }
      + CapabilityChecks(answers: answers).checks + [index.check].compactMap(\.self)
  }

  private static func report(_ checks: [Check]) -> DoctorReport {
    DoctorReport(server: "https://parse.example.com/1", applicationID: "demo", checks: checks)
  }

  @Test func `the report of ferry doctor equals its snapshots`() throws {
    var well = Self.report(try Self.checks(Self.healthy, ["Game"]))
    well.written = ["one record of the class FerryProbe"]
    try Snapshot.expect(well.lines(width: nil).joined(separator: "\n"), is: "doctor/healthy")
    try Snapshot.expect(well.json.line, is: "doctor/healthy-json")
    let places = [
      LocalChecks.Place(path: "/games", kind: .folder, mode: 0o40777),
      LocalChecks.Place(path: "/games/the key", kind: .key, mode: 0o100644),
    ]
    let ill = Self.report(
      [LocalChecks(places: places).files] + (try Self.checks(Self.troubled, ["Game", "League"])))
    try Snapshot.expect(ill.lines(width: 80).joined(separator: "\n"), is: "doctor/troubled")
    try Snapshot.expect(
      ill.lines(width: 40).joined(separator: "\n"), is: "doctor/troubled-40-columns")
    #expect(ill.exitCode == .configuration)
  }

  @Test func `the report ends with the exit code of the first problem`() throws {
    #expect(Self.report(try Self.checks(Self.healthy, ["Game"])).exitCode == .success)
    #expect(
      Self.report(try Self.checks(Self.troubled, ["League"])).exitCode == .noPermission)
    let unknown = Self.report([Check("a", .unknown, ""), Check("b", .notice, "")])
    #expect(unknown.exitCode == .success)
  }

  @Test func `the report names the database only when the response proves it`() throws {
    let check = { (answers: ServerAnswers) in
      IndexCheck(server: try Self.server(), classNames: ["Game"], answers: answers).database
    }
    #expect(try check(Self.healthy) == .postgreSQL)
    #expect(try check(Self.troubled) == .mongoDB)
    var unreadable = Self.healthy
    unreadable.results[.find("Game")] = Self.answer(#"{"code":119,"error":"no"}"#, 400)
    #expect(try check(unreadable) == nil)
    var other = Self.healthy
    other.results[.unknownOperator] = Self.answer(#"{"results":[]}"#)
    #expect(try check(other) == nil)
  }

  @Test func `the report offers no index for a missing class or another database`() throws {
    var answers = Self.healthy
    answers.results[.schemas] = Self.answer(#"{"results":[{"className":"Game"}]}"#)
    let index = { (answers: ServerAnswers) in
      IndexCheck(server: try Self.server(), classNames: ["Game", "New"], answers: answers)
    }
    #expect(try index(answers).makeable == ["Game"])
    answers.results[.unknownOperator] = Self.troubled.results[.unknownOperator]
    #expect(try index(answers).makeable == [])
    #expect(try index(Self.healthy).makeable == [])
  }

  @Test func `the report names the possible leftovers of a probe`() throws {
    var answers = Self.healthy
    answers.results[.deleteProbe] = Self.answer(#"{"code":1,"message":"no"}"#, 500)
    let ids = { (answers: ServerAnswers) in
      CapabilityChecks(answers: answers).checks.first { $0.name == "client ids" }?.finding ?? ""
    }
    #expect(ids(answers).contains("record may still be in the class FerryProbe"))
    answers = Self.healthy
    answers.results[.removeProbeClass] = answers.results[.createProbe]
    answers.results[.removeProbeClass] = Self.answer(#"{"code":255,"error":"not empty"}"#, 400)
    #expect(ids(answers).contains("empty class FerryProbe may still be there"))
    #expect(!ids(Self.healthy).contains("may still"))
  }

  @Test(arguments: [0, 4, -4, 6, -6, 90_000])
  func `the report counts a clock as right within seconds`(seconds: Double) throws {
    var answers = Self.healthy
    answers.localTime = Self.noon - seconds
    let check = try Self.checks(answers, ["Game"]).first { $0.name == "clock" }
    #expect(check?.verdict == (abs(seconds) > 5 ? .notice : .ok))
    answers.results[.health] = Self.answer(#"{"status":"ok"}"#, date: nil)
    let untold = try Self.checks(answers, ["Game"]).first { $0.name == "clock" }
    #expect(untold?.verdict == .unknown)
  }
}

/// The check of declared fields, for the master key and for an ordinary client.
@Suite(.timeLimit(.minutes(1))) struct FieldChecksTests {
  private static let entity = Entity("Game") {
    Field("title", .text)
    Field("score", .integer)
    Field("league", .pointer(to: "League"))
  }

  private static let schemas = """
    {"results":[{"className":"Game","fields":{"objectId":{"type":"String"},TITLE
      "score":{"type":"SCORE"},"league":{"type":"Pointer","targetClass":"League"}}}]}
    """

  private static func check(_ question: ServerAnswers.Question, _ body: String) -> Check? {
    let response = HTTPResponse(status: 200, headers: HTTPHeaders(), body: Data(body.utf8))
    return FieldChecks(
      entity: entity, answers: ServerAnswers(results: [question: .success(response)])
    ).check
  }

  private static func bySchema(title: String, score: String) -> Check? {
    check(
      .schemas,
      schemas.replacing("TITLE", with: #""\#(title)":{"type":"String"},"#)
        .replacing("SCORE", with: score))
  }

  private static func byRow(_ fields: String) -> Check? {
    check(
      .find("Game"),
      #"{"results":[{"objectId":"a","createdAt":"2026-03-01T18:30:00.250Z",\#(fields)}]}"#)
  }

  private static let pointer = #""league":{"__type":"Pointer","className":"League","objectId":"x"}"#

  @Test func `fields that agree are ok`() {
    #expect(Self.bySchema(title: "title", score: "Number")?.verdict == .ok)
    #expect(Self.byRow(#""title":"a","score":1,\#(Self.pointer)"#)?.verdict == .ok)
  }

  @Test func `a mistyped name is a notice that names the field which is meant`() {
    for check in [
      Self.bySchema(title: "titel", score: "Number"),
      Self.byRow(#""titel":"a","score":1,\#(Self.pointer)"#),
    ] {
      #expect(check?.verdict == .notice)
      #expect(check?.finding.contains("no value in: title (perhaps titel)") == true)
    }
  }

  @Test func `another type is a problem`() {
    let wrong = [
      (Self.bySchema(title: "title", score: "String"), "score is String there and Number here"),
      (
        Self.byRow(#""title":"a","score":"1",\#(Self.pointer)"#),
        "score is String there and Number here"
      ),
      (
        Self.byRow(#""title":"a","score":1.5,\#(Self.pointer)"#),
        "score has fractions there and \"integer\": true here"
      ),
      (
        Self.byRow(
          #""league":{"__type":"Pointer","className":"Cup","objectId":"x"},"title":"a","score":1"#),
        "league is Pointer to Cup there and Pointer to League here"
      ),
    ]
    for (check, words) in wrong {
      #expect(check?.verdict == .problem(.configuration))
      #expect(check?.finding.contains(words) == true, "\(check?.finding ?? "")")
    }
  }

  @Test func `nothing is said where the server shows nothing`() {
    #expect(Self.check(.find("Game"), #"{"results":[]}"#) == nil)
    #expect(Self.check(.schemas, #"{"results":[]}"#) == nil)
  }
}
