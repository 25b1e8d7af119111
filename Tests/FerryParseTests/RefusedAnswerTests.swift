// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse
import FerryPlanning
import Foundation
import Testing

/// Walks every row of the table in `RefusedAnswer`, with answers as they come over the network.
@Suite(.timeLimit(.minutes(1)))
struct RefusedAnswerTests {
  /// An answer, and its meaning for a read and for a write.
  struct Row: CustomTestStringConvertible {
    var status: Int
    var body: String
    var reading: RefusalMeaning
    var writing: RefusalMeaning

    init(
      _ status: Int, code: Int, _ reading: RefusalMeaning, _ writing: RefusalMeaning? = nil
    ) {
      self.init(status, #"{"code":\#(code),"error":"text"}"#, reading, writing)
    }

    init(
      _ status: Int, _ body: String, _ reading: RefusalMeaning, _ writing: RefusalMeaning? = nil
    ) {
      (self.status, self.body, self.reading) = (status, body, reading)
      self.writing = writing ?? reading
    }

    var testDescription: String { "\(status) \(body)" }
  }

  private static let unknown = RefusalMeaning.outcomeUnknown(mayStillRun: false)
  private static let running = RefusalMeaning.outcomeUnknown(mayStillRun: true)

  static let rows: [Row] = [
    // With a code.
    Row(404, code: 101, .notFoundOrForbidden), Row(400, code: 206, .loginNeeded),
    Row(400, code: 209, .loginNeeded), Row(400, code: 137, .duplicate),
    Row(400, code: 119, .forbidden), Row(400, code: 105, .invalidName),
    Row(400, code: 107, .refused), Row(429, code: 100, .rateLimited),
    Row(400, code: 100, .rateLimited), Row(400, code: 155, .rateLimited),
    Row(500, code: 1, .failed, unknown), Row(400, code: 159, .failed, unknown),
    Row(400, code: 124, .retryLater, unknown), Row(400, code: -1, .refused, unknown),
    Row(400, code: 102, .refused), Row(400, code: 111, .refused), Row(400, code: 141, .refused),
    Row(400, code: 142, .refused), Row(400, code: 8001, .refused), Row(400, code: -3, .refused),
    // Without a code.
    Row(429, "", .rateLimited), Row(413, #"{"error":"request entity too large"}"#, .tooLarge),
    Row(431, "", .tooLarge), Row(408, "", .retryLater, running), Row(504, "", .retryLater, running),
    Row(500, "", .retryLater, unknown), Row(502, "<html>", .retryLater, unknown),
    Row(503, #"{"status":"starting"}"#, .retryLater, unknown),
    Row(503, #"{"status":"star"#, .retryLater, unknown), Row(400, #"{"code":1"#, .cut, unknown),
    Row(200, #"{"results":[{"#, .cut, unknown), Row(401, "", .unauthorized),
    Row(403, #"{"error":"unauthorized"}"#, .unauthorized), Row(404, "", .wrongURL),
    Row(404, "<!DOCTYPE html>Cannot POST", .wrongURL), Row(404, #"{"error":"no"}"#, .wrongURL),
    Row(200, "{}", .malformed, unknown), Row(200, "[]", .malformed, unknown),
    Row(200, "<html>", .notParse, unknown), Row(200, "", .notParse, unknown),
    Row(400, #"{"error":"Unexpected token"}"#, .refused), Row(400, "<html>", .notParse),
    Row(501, "<!DOCTYPE HTML>", .notParse), Row(405, "x", .notParse), Row(302, "", .notParse),
    Row(418, "[]", .notParse),
  ]

  private static let update = WriteOperation.update(className: "A", objectID: "a", body: [:])

  @Test(arguments: rows)
  func `an answer has one meaning for a read and one for a write`(row: Row) throws {
    let response = Sample.response(row.status, row.body)
    let reading = #expect(throws: ParseError.self) { try ParseResponses().count(response) }
    #expect(reading?.meaning == row.reading)
    let writing = #expect(throws: ParseError.self) {
      try ParseResponses().write(Self.update, response)
    }
    #expect(writing?.meaning == row.writing)
  }

  @Test(
    arguments: [
      (107, .tooLarge, .tooLarge), (100, .rateLimited, .tooLarge), (155, .rateLimited, .tooLarge),
      (119, .forbidden, .forbidden), (102, .refused, .refused),
    ] as [(Int, RefusalMeaning, RefusalMeaning)])
  func `a batch that is refused as a whole may have had too many requests`(
    code: Int, reading: RefusalMeaning, writing: RefusalMeaning
  ) {
    let response = Sample.response(400, #"{"code":\#(code),"error":"text"}"#)
    let reads = #expect(throws: ParseError.self) {
      try ParseResponses().batchPages(response, count: 1)
    }
    #expect(reads?.meaning == reading)
    let writes = #expect(throws: ParseError.self) {
      try ParseResponses().batch([Self.update], response)
    }
    #expect(writes?.meaning == writing)
  }

  @Test(
    arguments: [
      (#"{"error":{"code":119,"error":"no"}}"#, .forbidden, .forbidden),
      (#"{"error":{"code":107,"error":"no"}}"#, .refused, .refused),
      (#"{"error":{"code":"23505","error":"dup"}}"#, .failed, unknown),
      (#"{"error":{}}"#, .failed, unknown), (#"{}"#, .malformed, unknown),
      (#"{"success":{}}"#, .malformed, unknown),
    ] as [(String, RefusalMeaning, RefusalMeaning)])
  func `an item of a batch has a meaning of its own`(
    item: String, reading: RefusalMeaning, writing: RefusalMeaning
  ) throws {
    let response = Sample.response(200, "[\(item)]")
    let page = try ParseResponses().batchPages(response, count: 1)[0]
    #expect(throws: ParseError.self) { try page.get() }
    if case .failure(let error) = page { #expect(error.meaning == reading) }
    let write = try ParseResponses().batch([Self.update], response)[0]
    if case .failure(let error) = write { #expect(error.meaning == writing) }
  }
}
