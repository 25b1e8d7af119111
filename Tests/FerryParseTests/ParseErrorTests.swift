// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ParseErrorTests {
  private func error(_ status: Int, _ body: String, isWrite: Bool) throws -> ParseError {
    ParseError(Sample.response(status, body), isWrite: isWrite, reader: JSONReader())
  }

  @Test(arguments: [
    (
      1, 500, ParseError.Meaning.retryLater(boundedAttempts: true),
      ParseError.Meaning.outcomeUnknown
    ),
    (100, 429, .rateLimited, .rateLimited), (100, 400, .rateLimited, .rateLimited),
    (101, 404, .notFoundOrForbidden, .notFoundOrForbidden), (102, 400, .refused, .refused),
    (105, 400, .refused, .refused), (111, 400, .refused, .refused),
    (119, 400, .refused, .refused),
    (124, 400, .retryLater(boundedAttempts: false), .outcomeUnknown),
    (137, 400, .duplicate, .duplicate), (141, 400, .refused, .refused),
    (142, 400, .refused, .refused),
    (155, 400, .rateLimited, .rateLimited),
    (159, 400, .retryLater(boundedAttempts: true), .outcomeUnknown),
    (206, 400, .loginNeeded, .loginNeeded), (209, 400, .loginNeeded, .loginNeeded),
    (8001, 400, .refused, .refused), (-3, 400, .refused, .refused),
  ])
  func `refusals mean by their code what the server did`(
    code: Int, status: Int, reading: ParseError.Meaning, writing: ParseError.Meaning
  )
    throws
  {
    let body = #"{"code":\#(code),"error":"text"}"#
    #expect(try error(status, body, isWrite: false).meaning == reading)
    let error = try error(status, body, isWrite: true)
    #expect(error.meaning == writing)
    #expect(error.code?.rawValue == code)
    #expect(error.serverText == "text")
    #expect(error.description.contains("code \(code), HTTP \(status)"))
  }

  @Test(arguments: [
    (
      403, #"{"error":"unauthorized"}"#, ParseError.Meaning.unauthorized,
      ParseError.Meaning.unauthorized
    ),
    (401, "", .unauthorized, .unauthorized),
    (400, #"{"error":"Unexpected token"}"#, .refused, .refused),
    (413, #"{"error":"request entity too large"}"#, .tooLarge, .tooLarge),
    (431, "", .tooLarge, .tooLarge),
    (429, "", .rateLimited, .rateLimited),
    (404, "<!DOCTYPE html>Cannot POST", .wrongURL, .wrongURL),
    (404, "", .wrongURL, .wrongURL), (404, #"{"error":"no"}"#, .wrongURL, .wrongURL),
    (500, "", .retryLater(boundedAttempts: false), .outcomeUnknown),
    (502, "<html>", .retryLater(boundedAttempts: false), .outcomeUnknown),
    (503, #"{"status":"starting"}"#, .retryLater(boundedAttempts: false), .outcomeUnknown),
    (408, "", .retryLater(boundedAttempts: false), .outcomeUnknown),
    (400, "<html>", .notParse, .notParse), (405, "x", .notParse, .notParse),
    (302, "", .notParse, .notParse),
    (418, "[]", .notParse, .notParse),
  ])
  func `refusals without a code mean what the status says`(
    status: Int, body: String, reading: ParseError.Meaning, writing: ParseError.Meaning
  ) throws {
    #expect(try error(status, body, isWrite: false).meaning == reading)
    #expect(try error(status, body, isWrite: true).meaning == writing)
  }

  @Test(
    arguments: [
      (#"{"code":1,"message":"Internal server error."}"#, 1, "Internal server error."),
      (#"{"code":141,"error":{"a":[1]}}"#, 141, #"{"a":[1]}"#),
      (#"{"code":141,"error":null}"#, 141, ""),
      (#"{"code":141}"#, 141, ""), (#"{"code":"23505","error":"dup"}"#, nil, "dup"),
      (#"{"code":1.5,"error":"x"}"#, nil, "x"),
      (#"{"error":"a\u001b[31mb\n\u202e"}"#, nil, "a [31mb  "),
      (#"{"code":99999999999999999999}"#, nil, ""), ("", nil, ""), ("null", nil, ""),
    ] as [(String, Int?, String)])
  func `refusals are read in every form`(body: String, code: Int?, text: String) throws {
    let error = try error(400, body, isWrite: false)
    #expect(error.code?.rawValue == code)
    #expect(error.serverText == text)
  }

  @Test func `refusals shorten the server's words`() throws {
    let long = try error(
      400, #"{"code":141,"error":"\#(String(repeating: "é", count: 5000))"}"#, isWrite: true)
    #expect(long.serverText.count == 301)
  }

  @Test func `the success of something else is a refusal`() throws {
    let responses = ParseResponses()
    for (body, meaning) in [
      ("<html>", .notParse), ("", .notParse), (#"{"results":[]}"#, .malformed), ("[]", .malformed),
    ] as [(String, ParseError.Meaning)] {
      let error = #expect(throws: ParseError.self) {
        try responses.count(Sample.response(200, body))
      }
      #expect(error?.meaning == meaning)
    }
  }

  @Test func `refusals can be caught by their code`() {
    do {
      throw ParseError(code: .duplicateValue, status: 400, meaning: .duplicate)
    } catch ParseError.Code.objectNotFound {
      Issue.record("caught as another code")
    } catch ParseError.Code.duplicateValue {
    } catch {
      Issue.record(error)
    }
  }

  @Test func `refusals say what happened, what became of the data, and what to do`() {
    let meanings: [ParseError.Meaning] = [
      .retryLater(boundedAttempts: true), .rateLimited, .loginNeeded, .refused, .duplicate,
      .notFoundOrForbidden, .outcomeUnknown, .tooLarge, .unauthorized, .wrongURL, .notParse,
      .malformed,
    ]
    let texts = meanings.map {
      ParseError(status: 400, serverText: "words", meaning: $0).description
    }
    #expect(Set(texts).count == texts.count)
    for text in texts {
      #expect(text.contains("(HTTP 400). It said: “words”. "))
      #expect(text.contains("Nothing was changed") || text.contains("kept here"))
      #expect(text.hasSuffix("."))
    }
  }
}
