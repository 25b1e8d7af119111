// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Randomness
import Testing

@testable import LoopbackParse

/// Reading and writing JSON and dates.
@Suite(.timeLimit(.minutes(1)))
struct TextTests {
  static let round: [(String, String)] = [
    ("{\"b\":1,\"a\":[true,null,\"x\"]}", "{\"a\":[true,null,\"x\"],\"b\":1}"),
    (" [ 1.50 , -2e3 , 1E-7 ] ", "[1.5,-2000,1e-07]"), ("1e300", "1e+300"),
    ("123456789012345678", "123456789012345680"), ("-0", "0"), ("[]", "[]"), ("{}", "{}"),
    (#""\u00e9\ud83d\ude00\n\t\/""#, "\"é\u{1F600}\\n\\t/\""), (#""\ud83dx""#, "\"\u{FFFD}x\""),
    ("{\"a\":1,\"a\":2}", "{\"a\":2}"), (#""\u0001""#, #""\u0001""#),
  ]

  @Test(arguments: round)
  func `JSON is read and written`(_ text: String, _ written: String) throws {
    #expect(try LoopbackValue(json: Array(text.utf8)).text == written)
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "01", "1.", ".5", "+1", "nul", "tru",
    "\"", "\"\\x\"", "\"\\u12\"", "1 2", "\"\n\"", "--1", "1e", "[1}", "NaN",
    String(repeating: "[", count: 100_000),
  ])
  func `what is no JSON is refused`(_ text: String) {
    #expect(throws: LoopbackError.self) { try LoopbackValue(json: Array(text.utf8)) }
  }

  @Test func `dates agree with Foundation from 1603 to 4188`() throws {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<3000 {
      let range: ClosedRange<Int64> = -11_600_000_000_000...70_000_000_000_000
      let instant = Instant(milliseconds: .random(in: range, using: &generator))
      let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
      #expect(Instant(instant.text) == instant)
      #expect(Instant(date) == instant)
      let foundation = try style.parse(instant.text)
      #expect(abs(foundation.timeIntervalSince(date)) < 0.0005)
    }
  }
}
