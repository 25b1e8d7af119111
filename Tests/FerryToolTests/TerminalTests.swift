// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning
import Testing

@testable import FerryTool

@Suite(.timeLimit(.minutes(10)))
struct TerminalTests {
  private func facts(
    _ environment: [String: String], output: Bool = true, errors: Bool = true, width: Int? = 80,
    refusesColour: Bool = false
  ) -> TerminalFacts {
    TerminalFacts(
      environment: environment, isOutputTerminal: output, isErrorTerminal: errors, width: width,
      refusesColour: refusesColour)
  }

  @Test func `colours and progress appear only on a terminal that can show them`() {
    #expect(facts(["TERM": "xterm"]).coloursErrors)
    #expect(!facts(["TERM": "dumb"]).coloursErrors)
    #expect(!facts(["TERM": "dumb"]).showsProgress)
    #expect(!facts(["NO_COLOR": "1"]).coloursErrors)
    #expect(facts(["NO_COLOR": ""]).coloursErrors)
    #expect(facts(["NO_COLOR": "1"]).showsProgress)
    #expect(!facts([:], refusesColour: true).coloursOutput)
    #expect(!facts([:], errors: false).coloursErrors)
    #expect(!facts([:], errors: false).showsProgress)
    #expect(!facts([:], output: false).coloursOutput)
  }

  @Test func `a width comes from the terminal, or from COLUMNS`() {
    #expect(facts([:], width: 20).width == 20)
    #expect(facts(["COLUMNS": "40"], width: nil).width == 40)
    #expect(facts(["COLUMNS": "wide"], width: nil).width == 80)
    #expect(facts([:], width: 0).width == 1)
    #expect(facts([:], output: false, errors: false).width == nil)
    #expect(facts(["COLUMNS": "40"], output: false, errors: false).width == 40)
    for none in ["0", "-4", "wide", ""] {
      #expect(facts(["COLUMNS": none], output: false, errors: false).width == nil)
    }
  }

  @Test(arguments: [1, 5, 10, 20, 30, 40, 60, 80, 200])
  func `the progress line fits any width`(width: Int) {
    let line = ProgressLine(
      stage: .deleteMissing, number: 3, stageCount: 6, className: "VeryLongClassName",
      done: 123_456,
      expected: 1_000_000, rate: 98_765)
    #expect(line.text(width: width).count < max(width, 2))
    #expect(width < 4 || line.text(width: width).hasPrefix("3/6"))
  }

  @Test func `the progress line shows all its parts on a wide terminal`() {
    var line = ProgressLine(
      stage: .importing, number: 2, stageCount: 6, className: "Game", done: 4000, expected: 20_000,
      rate: 12_345)
    #expect(line.text(width: 80) == "2/6 import  Game 4,000/20,000  20%  12,345/s")
    #expect(line.text(width: 20) == "2/6 4,000/20,000")
    line.expected = nil
    line.rate = nil
    #expect(line.text(width: 80) == "2/6 import  Game 4,000")
    line.expected = 0
    #expect(line.text(width: 80) == "2/6 import  Game 4,000/0")
    line.className = nil
    #expect(line.text(width: 80) == "2/6 import")
  }

  @Test func `the progress line says that it waits while the server is silent`() {
    var meter = ProgressMeter(stages: [.download, .importing])
    let none = meter.line(after: .waiting(seconds: 5), at: 1)
    #expect(none == nil)
    _ = meter.line(after: .stageStarted(.download), at: 2)
    let early = meter.line(after: .waiting(seconds: 5), at: 7)
    #expect(early?.text(width: 80) == "1/2 download  waiting 5.0 s")
    func progress(_ done: Int) -> SyncEvent {
      .progress(SyncProgress(stage: .download, className: "Game", done: done, expected: 900))
    }
    _ = meter.line(after: progress(300), at: 8)
    let line = meter.line(after: .waiting(seconds: 10), at: 18)
    #expect(line?.text(width: 80) == "1/2 download  Game 300/900  waiting 10.0 s")
    #expect(line?.text(width: 24) == "1/2 waiting 10.0 s")
    let next = meter.line(after: progress(900), at: 19)
    #expect(next?.text(width: 80) == "1/2 download  Game 900/900  100%  54/s")
  }

  @Test func `progress is written at most ten times a second`() {
    var meter = ProgressMeter(stages: StageName.allCases)
    var shown = 0
    for step in 0..<1000 {
      let event = SyncEvent.progress(
        SyncProgress(stage: .importing, className: "Game", done: step, expected: 1000))
      if meter.line(after: event, at: Double(step) / 500) != nil { shown += 1 }
    }
    #expect((15...21).contains(shown))
  }

  @Test func `the progress line shows the rate of a class within its stage`() throws {
    var meter = ProgressMeter(stages: [.importing])
    _ = meter.line(after: .stageStarted(.importing), at: 10)
    func event(_ done: Int) -> SyncEvent {
      .progress(SyncProgress(stage: .importing, className: "Game", done: done, expected: nil))
    }
    _ = meter.line(after: event(100), at: 11)
    let shown = meter.line(after: event(1100), at: 13)
    let line = try #require(shown)
    #expect(line.rate == 500)
    #expect(line.number == 1)
    #expect(line.stageCount == 1)
  }

  @Test func `control characters of a server never reach the terminal`() {
    #expect(
      "a\u{1B}[2Jb\u{7}c\u{202E}d\u{9B}e".printable == "a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}d\u{FFFD}e")
    #expect("Zürich ⚽️ 東京\nnext".printable == "Zürich ⚽️ 東京\nnext")
  }

  @Test func `a table too wide for the terminal is shown cell by cell`() {
    let table = TextTable(headings: ["class", "rows"], rows: [["Game", "12"], ["League", "3"]])
    #expect(table.lines(width: nil) == ["class   rows", "Game      12", "League     3"])
    #expect(table.lines(width: 12).count == 3)
    #expect(table.lines(width: 11) == ["Game", "  rows: 12", "League", "  rows: 3"])
  }

  @Test func `the console writes results to one stream and messages to the other`() {
    let output = MemorySink()
    let errors = MemorySink()
    let console = Console(
      facts: facts([:], output: false), isJSON: false, isQuiet: false, output: output,
      errors: errors)
    console.note("Asking.")
    console.progress("1/6")
    console.warning("Careful.")
    console.result("Done.")
    console.message(JSONMessage("summary", [:]))
    #expect(output.text == "Done.\n")
    #expect(
      errors.text
        == "\u{1B}[2mAsking.\u{1B}[0m\n\r1/6\u{1B}[K\r\u{1B}[K\u{1B}[33mWarning:\u{1B}[0m Careful.\n"
    )
  }

  @Test func `the console writes JSON to the output and repeats errors on the other stream`() {
    let output = MemorySink()
    let errors = MemorySink()
    let console = Console(
      facts: facts([:], output: false, errors: false), isJSON: true, isQuiet: false, output: output,
      errors: errors)
    console.note("Asking.")
    console.progress("1/6")
    console.result("Done.")
    console.failure(Failure(.usage, "usage", "No."))
    #expect(
      output.text == #"{"message_type":"exit_error","code":64,"name":"usage","message":"No."}"#
        + "\n")
    #expect(errors.text == "ferry: No.\n")
  }

  @Test func `a quiet console writes only results, warnings and errors`() {
    let output = MemorySink()
    let errors = MemorySink()
    let console = Console(
      facts: facts([:]), isJSON: false, isQuiet: true, output: output, errors: errors)
    console.note("Asking.")
    console.progress("1/6")
    #expect(errors.text.isEmpty)
    console.result("Done.")
    #expect(output.text == "Done.\n")
  }
}
