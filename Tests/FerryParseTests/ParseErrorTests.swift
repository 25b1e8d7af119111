// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ParseErrorTests {
  private func error(_ status: Int, _ body: String) throws -> ParseError {
    ParseError(Sample.response(status, body), to: .read, reader: JSONReader())
  }

  @Test func `refusals have the server's code, status and words`() throws {
    let error = try error(400, #"{"code":142,"error":"text"}"#)
    #expect(error.code?.rawValue == 142)
    #expect(error.serverText == "text")
    #expect(error.description.contains("code 142, HTTP 400"))
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
    let error = try error(400, body)
    #expect(error.code?.rawValue == code)
    #expect(error.serverText == text)
  }

  @Test func `refusals shorten the server's words`() throws {
    let long = try error(
      400, #"{"code":141,"error":"\#(String(repeating: "é", count: 5000))"}"#)
    #expect(long.serverText.count == 301)
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

  @Test(arguments: [
    (
      #"{"code":111}"#,
      "Make the type of the value, the field's declared type and its type on the server the same."
    ),
    (#"{"code":119}"#, "allow this in its permissions, or sync as a user who may do it."),
    (#"{"code":142}"#, nil),
  ])
  func `a refusal names what helps, and an edit only for a change`(
    body: String, cure: String?
  ) throws {
    let response = Sample.response(400, body)
    let write = ParseError(response, to: .write, reader: JSONReader()).description
    #expect(write.contains("the unsent change is kept"))
    #expect(write.contains(cure ?? "Edit the record to send it again."))
    if cure != nil { #expect(write.hasSuffix("Then edit the record to send it again.")) }
    let read = ParseError(response, to: .read, reader: JSONReader()).description
    #expect(!read.contains("change is kept") && !read.contains("edit the record"))
    #expect(read.contains(cure ?? "Look at the server's log."))
  }

  @Test func `a refused edit of bytes names the field and what PostgreSQL allows`() {
    let refusal = ParseError(
      Sample.response(400, #"{"code":119}"#), to: .write, reader: JSONReader())
    let body: [String: Value] = ["logo": .bytes([1]), "title": "a"]
    let edit = refusal.answering(.update(className: "Game", objectID: "g1", body: body)).description
    #expect(edit.contains("The edit sets bytes in logo. On PostgreSQL"))
    #expect(edit.contains("Set the field to null, or keep the bytes in a file."))
    let create = refusal.answering(.create(className: "Game", body: body)).description
    #expect(!create.contains("PostgreSQL"))
    let wire: Value = ["__type": "Bytes", "base64": "AQ=="]
    #expect(
      refusal.answering(.update(className: "Game", objectID: "g1", body: ["logo": wire]))
        .description == edit)
  }

  @Test func `refusals say what happened, what became of the data, and what to do`() {
    let meanings: [RefusalMeaning] = [
      .retryLater, .rateLimited, .loginNeeded, .refused, .duplicate,
      .notFoundOrForbidden, .outcomeUnknown(mayStillRun: false), .tooLarge, .unauthorized,
      .wrongURL, .notParse,
      .malformed, .cut,
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
