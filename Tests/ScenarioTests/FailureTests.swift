// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryScenarios
import Testing

/// The output of a story that fails.
@Suite(.timeLimit(.minutes(5))) struct FailureTests {
  private static func failure(table: String, expect: String) async throws -> String? {
    let story = try Scenario(
      """
      story X1: A game is played
      schema
        Game title:text score:integer
      given
        Game g1 title "Final" score 0
        Game g2 title "Semi-final"
      \(table)
      \(expect)
      """)
    return await #expect(throws: ScenarioFailure.self) {
      try await story.run(on: ScenarioVariant(store: .memory))
    }?.description
  }

  @Test func `the worlds stand side by side`() async throws {
    let text = try await Self.failure(
      table: "| A    | B |\n| g1.score = 1 | |\n| sync | |",
      expect:
        "expect\n  everywhere: Game g1 title \"Final\" score 1\n  everywhere: Game g2 title \"Semi-final\""
    )
    #expect(
      text == """
        X1 (in process, memory, server ids, code points), line 10: B is not as the story says.
          expected of B                 | A                             | B                             | server
        → Game g1 title "Final" score 1 | Game g1 title "Final" score 1 | Game g1 title "Final" score 0 | Game g1 title "Final" score 1
          Game g2 title "Semi-final"    | Game g2 title "Semi-final"    | Game g2 title "Semi-final"    | Game g2 title "Semi-final"
        """)
  }

  @Test func `the chance of SQL is the same each time a story is told`() async throws {
    func failure() async throws -> String? {
      let story = try Scenario(
        """
        story X1: A statement fails with random bytes in its message
        options only sqlite
        schema
          Game title:text
        given
          Game g1 title "Final"
        | A |
        | sql SELECT load_extension(hex(randomblob(8))) |
        expect
          everywhere: Game g1 title "Final"
        """)
      return await #expect(throws: ScenarioFailure.self) {
        try await story.run(on: ScenarioVariant(store: .sqlite))
      }?.description
    }
    let first = try await failure()
    #expect(first?.contains("SQLite refused") == true)
    #expect(try await failure() == first)
  }

  @Test func `a moment that never comes fails the story`() async throws {
    let text = try await Self.failure(
      table: "| A | network |\n| sync | PUT g1 is lost |", expect: "expect")
    #expect(
      text?.contains("line 8, column \"network\": it never came to that: PUT g1 leaves.") == true)
  }

  @Test func `a step that cannot be taken fails the story`() async throws {
    let text = try await Self.failure(
      table: "| A | B |\n| insert Game g3 | |\n| | delete g3 |", expect: "expect")
    #expect(text?.contains("line 9, column \"B\": B has no g3.") == true)
  }

  @Test(arguments: [
    ("sees g1", "A has no open list; say \"watch CLASS\""),
    ("watch Game; sees g1..g2; sees g1..g2", "the list of A has not changed"),
    ("watch Game; sees g1", "the list of A shows g1, g2 now"),
    (
      "watch Game by title; sees g1, g2; g1.score = 1; sees g2, g1",
      "the list of A shows g1, g2 now"
    ),
    ("watch Game; g1.score = 1; sees no change", "the list of A shows g1, g2 now"),
    ("watch Game where score >= 0 by score; sees g1; delete g1; sees g1", "shows no rows now"),
    ("watch Game; sees g1, g2; reopen; g1.score = 1; sees g1, g2", "A has no open list"),
    ("look away", "A has no open list"),
    ("watch Game; look away; g1.score = 1; sees no change", "the list of A shows g1, g2 now"),
    ("retry quarantined g1", "g1 is not in quarantine on A"),
    ("watch \"Nothing\"", "The class Nothing is not registered"),
    ("app reads \"SELECT 1\"", "there is no SQL on a store in memory"),
    (
      "g1.score = 1; discard g1 refused being-sent",
      "accepted what it should refuse with being-sent"
    ),
    ("g1.title = 5 refused unknown-field", "the store refused it with wrong-type"),
    ("discard g1 refused being-sent", "A has no unsent change of g1"),
    ("reader index reads g1", "the reader index of A reads g1, g2"),
    ("g1.score = 1; reader index reads g1..g2; reader index reads g1", "of A reads nothing"),
    ("reader index is too late", "accepted what it should refuse with history-pruned"),
  ])
  func `a step that does not come out as the story says fails it`(
    cell: String, message: String
  ) async throws {
    let text = try await Self.failure(table: "| A |\n| \(cell) |", expect: "expect")
    #expect(text?.contains("line 8, column \"A\": ") == true, "\(text ?? "")")
    #expect(text?.contains(message) == true, "\(text ?? "")")
  }

  @Test func `what is left pending fails the story`() async throws {
    let text = try await Self.failure(
      table: "| A |\n| g1.score = 1 |",
      expect:
        "expect\n  server: Game g1 title \"Final\" score 0\n  A: Game g1 title \"Final\" score 1\n  everywhere: Game g2 title \"Semi-final\""
    )
    #expect(text?.contains("→ -                             | pending update g1") == true)
  }
}
