// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Testing

@testable import FerryScenarios

/// The layout of stories.
struct StoryFormatTests {
  @Test func `columns are aligned, and blank lines come one at a time`() {
    let text = """
      story X1: A title


      options   only sqlite
      | A | client|
      |--|--|
      | sync -> post 1 Game | |
      |--- 3 min later ---|
      | | delete g1 |

      expect
          everywhere: no rows

      """
    #expect(
      StoryFormat.formatted(text)
        == """
        story X1: A title

        options   only sqlite
        | A                   | client    |
        |---------------------|-----------|
        | sync -> post 1 Game |           |
        |--- 3 min later -----------------|
        |                     | delete g1 |

        expect everywhere: no rows

        """.replacing("expect everywhere", with: "expect\n  everywhere"))
  }

  @Test func `a cell that is too wide goes on below, step by step`() {
    let step = "g1.title = \"a ; b | c\";"
    let row = "| " + Array(repeating: step, count: 5).joined(separator: " ") + " sync | sync |"
    let lines = StoryFormat.formatted("| A | B |\n\(row)\n").split(separator: "\n")
    let both = "\(step) \(step) \(step)"
    #expect(lines[1].hasPrefix("| \(both) "))
    #expect(lines[2].hasPrefix(": \(step) \(step) sync"))
    #expect(lines.allSatisfy { $0.count <= StoryFormat.width && $0.count == lines[0].count })
  }

  @Test(arguments: ["story", "options", "for"])
  func `a word that fills a line stays in the line of its section`(section: String) throws {
    let long = String(repeating: "x", count: StoryFormat.width - 2)
    let line = "\(section) \(long) goes on"
    let formatted = StoryFormat.formatted(line + "\n")
    #expect(formatted == "\(section)\n  \(long)\n  goes on\n")
    #expect(StoryLine.lines(of: formatted).map(\.text) == [line[...], ""])
  }

  @Test func `a long line of alternatives goes on with one value a line`() {
    let values = (1...4).map { "sql UPDATE Game SET title = 'a rather long title', score = \($0)" }
    let line = "for how in " + values.joined(separator: " | ")
    #expect(
      StoryFormat.formatted(line + "\n")
        == "for how in \(values[0])\n" + values.dropFirst().map { "  | \($0)\n" }.joined())
  }

  @Test func `a line that cannot be broken is named`() {
    let text = "story X1: A title\n# \(String(repeating: "x", count: 98))\n"
    #expect(StoryFormat.longLines(of: StoryFormat.formatted(text)) == [2])
  }

  /// With its long lines joined again a file is formatted to the same text, so that nothing is lost.
  @Test(arguments: StoryTests.allFiles)
  func `a story is in its layout`(file: String) throws {
    let text = try String(
      contentsOf: StoryTests.folder.appending(path: file), encoding: .utf8)
    #expect(StoryFormat.formatted(text) == text, "run: swift run ferry-story format \(file)")
    let wide = StoryLine.lines(of: text).map(\.text).joined(separator: "\n")
    #expect(StoryFormat.formatted(wide) == text)
  }
}
