// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Testing

@testable import FerryTool

@Suite(.timeLimit(.minutes(10)))
struct HelpTextTests {
  private static let topics: [String?] =
    [nil] + Command.Name.allCases.map(\.rawValue) + CommandTable.topics

  @Test(arguments: topics.filter { $0 != "glossary" })
  func `each help page equals its snapshot`(topic: String?) throws {
    try Snapshot.expect(HelpText.page(topic), is: "help/\(topic ?? "ferry")")
  }

  @Test(arguments: topics)
  func `the help fits a terminal and holds only plain characters`(topic: String?) {
    for line in HelpText.page(topic).split(separator: "\n") where !line.hasPrefix("  ferry init") {
      #expect(line.count <= 80, "\(line)")
      #expect(line.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "\(line)")
    }
  }

  @Test(arguments: Command.Name.allCases)
  func `the help shows examples before anything else`(command: Command.Name) throws {
    let page = HelpText.page(command.rawValue)
    let sections = page.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(sections.dropFirst().first == "Examples:")
  }

  @Test func `the glossary is the same in the tool and in the documentation`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Documentation/Glossary.md").standardized
    try Snapshot.expect(HelpText.page("glossary"), isIn: file)
    let names = Glossary.terms.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test(arguments: ExitCode.allCases)
  func `the help lists every exit code`(code: ExitCode) {
    #expect(HelpText.page("exit-codes").contains("\n  \(code.rawValue) "))
  }

  @Test func `the numbers of the exit codes stay as promised`() {
    let numbers = ExitCode.allCases.map(\.rawValue)
    #expect(numbers == [0, 1, 2, 3, 25, 64, 65, 69, 70, 73, 74, 75, 76, 77, 78, 130, 143])
  }
}
