// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryScenarios
import Testing

/// Facts of many rows at once.
@Suite(.timeLimit(.minutes(1))) struct RangeTests {
  private static func story(_ expectation: String) -> String {
    """
    story X1: Edits of many rows lose
    schema
      Game title:text
    given
      Game g1..g12 title "n#"
    | A                 | client                 |
    | g1..g12.title = "a" | g1..g12.title = "b" |
    \(expectation)
    """
  }

  @Test func `conflicts and pending changes are said of a range`() async throws {
    let story = try Scenario(
      Self.story(
        """
        check
          A: pending update g1..g12
        | A |
        | sync |
        expect
          everywhere: Game g1..g12 title "b"
          A: conflict remoteWon g1..g12 title "a"
        """))
    try await story.run(on: ScenarioVariant(store: .memory))
  }

  @Test func `one row of a range that has no conflict fails the story`() async throws {
    let story = try Scenario(
      Self.story(
        """
        | g12.title = "n12" | |
        | sync | |
        expect
          everywhere: Game g1..g12 title "b"
          A: conflict remoteWon g1..g12 title "a"
        """))
    let failure = await #expect(throws: ScenarioFailure.self) {
      try await story.run(on: ScenarioVariant(store: .memory))
    }
    #expect(failure?.description.contains("→ conflict remoteWon g12 title \"a\"") == true)
  }
}
