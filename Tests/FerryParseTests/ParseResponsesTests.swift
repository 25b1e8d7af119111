// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ParseResponsesTests {
  private static let create = WriteOperation.create(className: "Game", body: [:])
  private static let update = WriteOperation.update(className: "Game", objectID: "a", body: [:])
  private static let delete = WriteOperation.delete(className: "Game", objectID: "a")

  @Test(arguments: [
    (
      create, 201, #"{"objectId":"a","createdAt":"T"}"#,
      WriteAnswer.created(ParseCreated(objectID: "a", createdAt: "T", changes: [:]))
    ),
    (
      create, 201,
      #"{"n":1,"objectId":"a","createdAt":"T","drop":{"__op":"Delete"},"updatedAt":"T"}"#,
      .created(
        ParseCreated(
          objectID: "a", createdAt: "T", changes: ["n": 1, "drop": ["__op": "Delete"]]))
    ),
    (
      update, 200, #"{"updatedAt":"T","n":6}"#,
      .updated(ParseUpdated(updatedAt: "T", changes: ["n": 6]))
    ),
    (delete, 200, "{}", .deleted),
  ])
  func `answers to writes say what was done`(
    operation: WriteOperation, status: Int, body: String, answer: WriteAnswer
  ) throws {
    let responses = ParseResponses()
    #expect(try responses.write(operation, Sample.response(status, body)) == answer)
    let batch = try responses.batch([operation], Sample.response(200, #"[{"success":\#(body)}]"#))
    #expect(batch == [.success(answer)])
  }

  @Test(arguments: [
    (create, 201, ""), (create, 201, "{}"), (create, 200, #"{"objectId":"a"}"#),
    (create, 201, "[]"),
    (create, 201, #"{"objectId":"a","createdAt":"T","#), (update, 200, "{}"),
    (update, 200, "<html>"),
    (delete, 200, ""), (delete, 200, "[]"), (delete, 262, #"{"code":1,"message":"no"}"#),
    (delete, 200, #"{"error":"unauthorized"}"#),
    (update, 500, #"{"code":1,"message":"Internal server error."}"#),
    (create, 502, "<html>"), (create, 503, "{}"), (create, 504, ""), (create, 408, ""),
    (create, 400, #"{"code":159,"error":"Duplicate request"}"#),
    (create, 400, #"{"code":124,"error":"x"}"#),
  ])
  func `answers to writes that do not say what was done leave the outcome unknown`(
    operation: WriteOperation, status: Int, body: String
  ) throws {
    let error = #expect(throws: ParseError.self) {
      try ParseResponses().write(operation, Sample.response(status, body))
    }
    #expect(error?.meaning == .outcomeUnknown(mayStillRun: status == 408 || status == 504))
  }

  @Test func `answers to a batch stand by position, each for itself`() throws {
    let body = """
      [{"success":{"objectId":"a","createdAt":"T"}},{"error":{"code":101,"error":"Object not found."}},
      {"error":{"code":"23505","error":"duplicate key"}},{"error":{"error":"x"}},{"error":{}},7,null,
      {"success":{}},{"success":{"updatedAt":"T"}},{"error":{"code":1,"error":"x"}},
      {"error":{"code":137,"error":"x"}},{"error":"text"},{}]
      """
    let operations =
      [Self.create, Self.update] + Array(repeating: Self.update, count: 6)
      + [Self.update] + Array(repeating: Self.delete, count: 4)
    let results = try ParseResponses().batch(operations, Sample.response(200, body))
    let meanings = results.map { result -> RefusalMeaning? in
      if case .failure(let error) = result { error.meaning } else { nil }
    }
    #expect(
      meanings == [
        nil, .notFoundOrForbidden, .outcomeUnknown(mayStillRun: false),
        .outcomeUnknown(mayStillRun: false), .outcomeUnknown(mayStillRun: false),
        .outcomeUnknown(mayStillRun: false),
        .outcomeUnknown(mayStillRun: false), .outcomeUnknown(mayStillRun: false), nil,
        .outcomeUnknown(mayStillRun: false), .duplicate, .outcomeUnknown(mayStillRun: false),
        .outcomeUnknown(mayStillRun: false),
      ])
  }

  @Test(arguments: [
    "[]", #"[{"success":{}}]"#, #"[{"success":{}},{"success":{}},{"success":{}}]"#, "{}", "",
    "[{",
  ])
  func `answers to a batch of another length or shape leave all unknown`(body: String) throws {
    let error = #expect(throws: ParseError.self) {
      try ParseResponses().batch([Self.delete, Self.delete], Sample.response(200, body))
    }
    #expect(error?.meaning == .outcomeUnknown(mayStillRun: false))
  }

  @Test func `answers to a batch of queries give the pages as they were written`() throws {
    let body =
      #" [ {"success": {"results":[{"a":"]"}], "count":1}} ,{"error":{"code":119,"error":"no"}},"#
      + #"{"success":{"x":1}},{"success":{"results":[]}}]"#
    let responses = ParseResponses()
    let pages = try responses.batchPages(Sample.response(200, body), count: 4)
    #expect(try pages[0].get() == Data(#"{"results":[{"a":"]"}], "count":1}"#.utf8))
    #expect(throws: ParseError.self) { try pages[1].get() }
    #expect(throws: ParseError.self) { try pages[2].get() }
    #expect(try pages[3].get() == Data(#"{"results":[]}"#.utf8))
    let error = #expect(throws: ParseError.self) {
      try responses.batchPages(Sample.response(200, body), count: 3)
    }
    #expect(error?.meaning == .malformed)
  }

  @Test func `a page of a batch is found under a key with escapes`() throws {
    let body = #"[{"\u0073uccess":{"results":[]},"success":1}]"#
    let pages = try ParseResponses().batchPages(Sample.response(200, body), count: 1)
    #expect(try pages[0].get() == Data(#"{"results":[]}"#.utf8))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `answers survive damage anywhere`(seed: UInt64) throws {
    var random = JSONTextGenerator(seed: seed)
    let responses = ParseResponses()
    let batch = Data(
      #"[{"success":{"objectId":"a","createdAt":"T"}},{"error":{"code":101,"error":"x"}}]"#.utf8)
    for _ in 0..<100 {
      let response = HTTPResponse(status: 200, body: random.damaged(batch))
      let results = try? responses.batch([Self.create, Self.delete], response)
      #expect(results == nil || results?.count == 2)
      _ = try? responses.batchPages(response, count: 2)
      _ = try? responses.write(Self.create, response)
      _ = try? responses.schemas(response)
      let refusal = ParseError(
        HTTPResponse(status: 500, body: response.body), to: .write, reader: JSONReader())
      #expect(refusal.meaning == .outcomeUnknown(mayStillRun: false))
    }
  }

  @Test func `answers to other requests are read`() throws {
    let responses = ParseResponses()
    #expect(try responses.count(Sample.response(200, #"{"results":[],"count":5}"#)) == 5)
    let user = try responses.user(Sample.response(200, #"{"objectId":"u","sessionToken":"r:1"}"#))
    #expect(user == ParseUser(objectID: "u", sessionToken: Secret("r:1")))
    #expect(!"\(user)".contains("r:1"))
    #expect(try responses.isHealthy(Sample.response(200, #"{"status":"ok"}"#)))
    #expect(
      try responses.serverVersion(
        Sample.response(200, #"{"features":{},"parseServerVersion":"9.5.1"}"#)) == "9.5.1")
    try responses.checkPage(Sample.response(200, "\n {\"results\":["))
    try responses.checkPage(Sample.response(200, "[]"))
    #expect(throws: ParseError.self) { try responses.checkPage(Sample.response(500, "")) }
    for welcome in ["<html>", "", "OK"] {
      let error = #expect(throws: ParseError.self) {
        try responses.checkPage(Sample.response(200, welcome))
      }
      #expect(error?.meaning == .notParse)
    }
  }
}
