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

  /// The answer of Ferry's Cloud Code.
  private static func module(
    name: String = "ferry", version: String = "1.0.0", protocolVersion: Int = 1,
    removed: String = #"["Game","Team"]"#
  ) -> String {
    #"{"result":{"name":"\#(name)","version":"\#(version)","protocol":\#(protocolVersion),"pageLimit":1000,"#
      + #""logDays":60,"removed":\#(removed),"deletions":["Game"]}}"#
  }

  /// 2026-11-21 12:00:00 UTC.
  private static let noon = Date(timeIntervalSince1970: 1_795_262_400)

  private static func findings(
    _ results: [ServerExamination.Exchange: Result<HTTPResponse, HTTPError>], at time: Date?,
    of server: ParseServer = ParseServer(url: URL(filePath: "/"), applicationID: "demo")
  ) -> ServerExamination {
    var findings = ServerExamination(of: server)
    findings.results = results
    findings.localTime = time
    return findings
  }

  private static var healthy: ServerExamination {
    findings(
      [
        .query(.health): answer(#"{"status":"ok"}"#),
        .query(.version): answer(#"{"features":{},"parseServerVersion":"9.10.0"}"#),
        .query(.classes): answer(
          #"{"results":[{"className":"Game","indexes":{"Game_sync":{"objectId":1,"updatedAt":1}}}]}"#
        ),
        .query(.user): answer(#"{"objectId":"u1"}"#),
        .query(.rows(of: "Game")): answer(#"{"results":[{"objectId":"a"}]}"#),
        .query(.count(of: "Game")): answer(#"{"results":[],"count":12345}"#),
        .query(.batch(of: "Game")): answer(#"[{"success":{"results":[]}}]"#),
        .query(.database(of: "Game")): answer(#"{"code":119,"error":"Postgres doesn't"}"#, 400),
        .query(.module): answer(module()),
        .createProbe: answer(#"{"objectId":"x","createdAt":"2026-11-21T12:00:00.000Z"}"#, 201),
        .deleteProbe: answer("{}"), .removeProbeClass: answer("{}"),
      ], at: noon)
  }

  private static var troubled: ServerExamination {
    let refusal = answer(#"{"code":119,"error":"Permission denied"}"#, 400)
    return findings(
      [
        .query(.health): answer(#"{"status":"ok"}"#),
        .query(.version): answer(#"{"error":"no"}"#, 403),
        .query(.classes): answer(#"{"error":"no"}"#, 403),
        .query(.user): answer(#"{"code":209,"error":"Invalid session token"}"#, 400),
        .query(.rows(of: "Game")): answer(#"{"results":[]}"#), .query(.count(of: "Game")): refusal,
        .query(.rows(of: "League")): refusal, .query(.count(of: "League")): refusal,
        .query(.batch(of: "Game")): answer(#"{"code":1,"message":"Internal server error."}"#, 500),
        .query(.database(of: "Game")): answer(
          #"{"code":107,"error":"bad constraint: $ferry"}"#, 400),
        .query(.module): answer(module(protocolVersion: 2)),
        .createProbe: answer(#"{"code":105,"error":"objectId is an invalid field name."}"#, 400),
      ], at: noon + 3_600)
  }

  private static func checks(
    _ findings: ServerExamination, _ names: [String], key: ParseServer.Key? = .master("k")
  ) throws -> [Check] {
    let findings = Self.findings(findings.results, at: findings.localTime, of: try server(key))
    let index = IndexCheck(classNames: names, findings: findings)
    return ConnectionChecks(classNames: names, allowsCleartext: false, findings: findings).checks
      + names.flatMap { ClassChecks(className: $0, findings: findings).checks }
      + CapabilityChecks(findings: findings, classNames: ["Game"]).checks
      + [
        ModuleCheck(entities: names.map { Entity($0, fields: []) }, findings: findings).check,
        index.check,
      ].compactMap(\.self)
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

  @Test(
    arguments: [
      (true, UInt64(1 << 40), Check.Verdict.ok), (true, 1 << 20, .notice),
      (true, 1 << 19, .problem(.inputOutput)), (true, 0, .problem(.inputOutput)),
      (false, 1 << 40, .problem(.inputOutput)),
    ]) func `the report names a disk that takes nothing`(
      isWritable: Bool, freeBytes: UInt64, verdict: Check.Verdict
    )
  {
    let disk = LocalChecks.Disk(path: "/games", isWritable: isWritable, freeBytes: freeBytes)
    #expect(disk.check.verdict == verdict)
    let check = LocalChecks(places: [], disk: disk).checks.first { $0.name == "disk" }
    #expect(check == disk.check)
  }

  @Test func `the report asks about batches of a class that may be read`() throws {
    var findings = Self.healthy
    findings.results[.query(.rows(of: "Closed"))] = Self.answer(#"{"code":119,"error":"no"}"#, 400)
    let checks = CapabilityChecks(findings: findings, classNames: ["Closed", "Game"]).checks
    #expect(checks.first { $0.name == "batches" }?.verdict == .ok)
    let index = IndexCheck(classNames: ["Closed", "Game"], findings: findings)
    #expect(index.database == .postgreSQL)
  }

  @Test(
    arguments: [
      (module(), 200, Check.Verdict.ok), (module(removed: "[]"), 200, .ok),
      (module(protocolVersion: 2), 200, .notice), (module(name: "other"), 200, .notice),
      (module(version: #"\u001b[31m"#), 200, .notice), (module(protocolVersion: 0), 200, .notice),
      (module(removed: "[1]"), 200, .notice), (#"{"result":"ferry"}"#, 200, .notice),
      ("{}", 200, .notice),
      (#"{"code":141,"error":"Something else"}"#, 400, nil),
      (#"{"code":141,"error":"Invalid function: \"ferryModule\""}"#, 400, nil),
      (#"{"code":119,"error":"no"}"#, 400, nil), ("<html>", 200, nil), ("<html>", 502, nil),
    ] as [(String, Int, Check.Verdict?)])
  func `the report says what the server has of the Cloud Code`(
    _ body: String, _ status: Int, _ verdict: Check.Verdict?
  ) {
    var findings = Self.healthy
    findings.results[.query(.module)] = Self.answer(body, status)
    let check = Self.moduleCheck(findings)
    #expect(check?.verdict == verdict)
    #expect(check?.finding.contains("\u{1b}") != true)
  }

  private static func moduleCheck(
    _ findings: ServerExamination, logged: [String] = [], asked: [String] = []
  ) -> Check? {
    let entities = ["Game", "League"].map {
      Entity($0, fields: []).deletions(
        logged.contains($0) ? .deletionLog : asked.contains($0) ? .cloudFunction : .counting)
    }
    return ModuleCheck(entities: entities, findings: findings).check
  }

  @Test func `the report names the classes of the Cloud Code, and those that use it`() throws {
    let head =
      "Version 1.0.0 of Ferry's Cloud Code. It says which records are gone of Game. It logs deletions of Game "
      + "for 60 days."
    let option = "To include League, add to the option \"classes\" of the module."
    let unused = try #require(Self.moduleCheck(Self.healthy))
    #expect(unused.finding == head)
    #expect(
      unused.advice
        == "\(option) To let syncs read the log of Game, set \"deletions\": \"deletionLog\" in ferry.json."
    )
    let used = try #require(Self.moduleCheck(Self.healthy, logged: ["Game"]))
    #expect(used.finding == "\(head) Syncs read the log of Game." && used.verdict == .ok)
    #expect(used.advice == option)
    let lacking = try #require(Self.moduleCheck(Self.healthy, logged: ["League"]))
    #expect(
      lacking.finding
        == "\(head) It has no log of League. Syncs compare the counts of League.")
    #expect(lacking.verdict == .notice)
  }

  @Test func `the report names the classes that ask the Cloud Code`() throws {
    let head =
      "Version 1.0.0 of Ferry's Cloud Code. It says which records are gone of Game. It logs deletions of Game "
      + "for 60 days."
    let option = "To include League, add to the option \"classes\" of the module."
    let asking = try #require(Self.moduleCheck(Self.healthy, asked: ["Game"]))
    #expect(asking.finding == "\(head) Syncs ask it about Game." && asking.verdict == .ok)
    #expect(asking.advice == option)
    let lacking = try #require(Self.moduleCheck(Self.healthy, logged: ["Game"], asked: ["League"]))
    #expect(
      lacking.finding
        == "\(head) Syncs read the log of Game. Syncs cannot ask it about League. "
        + "Syncs compare the counts of League.")
    #expect(lacking.verdict == .notice && lacking.advice == option)
  }

  @Test func `the report says where a declared function is missing`() throws {
    var findings = Self.healthy
    let bodies = [
      #"{"code":141,"error":"Invalid function: \"ferryModule\""}"#: 400,
      #"{"result":"ferry"}"#: 200,
      Self.module(protocolVersion: 2): 200,
    ]
    for (body, status) in bodies {
      findings.results[.query(.module)] = Self.answer(body, status)
      let checks = [
        Self.moduleCheck(findings, logged: ["Game"]), Self.moduleCheck(findings, asked: ["Game"]),
      ]
      for check in try checks.map({ try #require($0) }) {
        #expect(check.verdict == .notice)
        #expect(check.finding.hasSuffix("Syncs compare the counts of Game."))
      }
    }
  }

  @Test func `the report ends with the exit code of the first problem`() throws {
    #expect(Self.report(try Self.checks(Self.healthy, ["Game"])).exitCode == .success)
    #expect(
      Self.report(try Self.checks(Self.troubled, ["League"])).exitCode == .noPermission)
    let unknown = Self.report([Check("a", .unknown, ""), Check("b", .notice, "")])
    #expect(unknown.exitCode == .success)
  }

  @Test func `the report names the database only when the response proves it`() throws {
    let check = { (findings: ServerExamination) in
      IndexCheck(classNames: ["Game"], findings: findings).database
    }
    #expect(check(Self.healthy) == .postgreSQL)
    #expect(check(Self.troubled) == .mongoDB)
    var unreadable = Self.healthy
    unreadable.results[.query(.rows(of: "Game"))] = Self.answer(#"{"code":119,"error":"no"}"#, 400)
    #expect(check(unreadable) == nil)
    var other = Self.healthy
    other.results[.query(.database(of: "Game"))] = Self.answer(#"{"results":[]}"#)
    #expect(check(other) == nil)
  }

  @Test func `the report offers no index for a missing class or another database`() throws {
    var findings = Self.healthy
    findings.results[.query(.classes)] = Self.answer(#"{"results":[{"className":"Game"}]}"#)
    let index = { (findings: ServerExamination) in
      IndexCheck(classNames: ["Game", "New"], findings: findings)
    }
    #expect(index(findings).makeable == ["Game"])
    findings.results[.query(.database(of: "Game"))] =
      Self.troubled.results[.query(.database(of: "Game"))]
    #expect(index(findings).makeable == [])
    #expect(index(Self.healthy).makeable == [])
  }

  @Test func `the report names the possible leftovers of a probe`() throws {
    var findings = Self.healthy
    findings.results[.deleteProbe] = Self.answer(#"{"code":1,"message":"no"}"#, 500)
    let ids = { (findings: ServerExamination) in
      CapabilityChecks(findings: findings, classNames: ["Game"]).checks.first {
        $0.name == "client ids"
      }?.finding ?? ""
    }
    #expect(ids(findings).contains("record may still be in the class FerryProbe"))
    findings = Self.healthy
    findings.results[.removeProbeClass] = findings.results[.createProbe]
    findings.results[.removeProbeClass] = Self.answer(#"{"code":255,"error":"not empty"}"#, 400)
    #expect(ids(findings).contains("empty class FerryProbe may still be there"))
    #expect(!ids(Self.healthy).contains("may still"))
  }

  @Test(arguments: [0, 4, -4, 6, -6, 90_000])
  func `the report counts a clock as right within seconds`(seconds: Double) throws {
    var findings = Self.healthy
    findings.localTime = Self.noon - seconds
    let check = try Self.checks(findings, ["Game"]).first { $0.name == "clock" }
    #expect(check?.verdict == (abs(seconds) > 5 ? .notice : .ok))
    findings.results[.query(.health)] = Self.answer(#"{"status":"ok"}"#, date: nil)
    let untold = try Self.checks(findings, ["Game"]).first { $0.name == "clock" }
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

  private static func check(_ query: ServerExamination.Query, _ body: String) -> Check? {
    let response = HTTPResponse(status: 200, headers: HTTPHeaders(), body: Data(body.utf8))
    var findings = ServerExamination(
      of: ParseServer(url: URL(filePath: "/"), applicationID: "demo"))
    findings.results = [.query(query): .success(response)]
    return FieldChecks(entity: entity, findings: findings).check
  }

  private static func bySchema(title: String, score: String) -> Check? {
    check(
      .classes,
      schemas.replacing("TITLE", with: #""\#(title)":{"type":"String"},"#)
        .replacing("SCORE", with: score))
  }

  private static func byRow(_ fields: String) -> Check? {
    check(
      .rows(of: "Game"),
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

  @Test func `a relation that the server does not have yet is no wrong name`() throws {
    let body = #"{"results":[{"className":"Game","fields":{"title":{"type":"String"}}}]}"#
    let response = HTTPResponse(status: 200, headers: HTTPHeaders(), body: Data(body.utf8))
    var findings = ServerExamination(
      of: ParseServer(url: URL(filePath: "/"), applicationID: "demo"))
    findings.results = [.query(.classes): .success(response)]
    let entity = Entity("Game") {
      Field("title", .text)
      Field("players", .relation(to: "Player"))
    }
    let check = try #require(FieldChecks(entity: entity, findings: findings).check)
    #expect(check.verdict == .notice)
    #expect(check.finding.contains("does not have the relation players yet"))
    #expect(!check.finding.contains("column"))
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
    #expect(Self.check(.rows(of: "Game"), #"{"results":[]}"#) == nil)
    #expect(Self.check(.classes, #"{"results":[]}"#) == nil)
  }
}
