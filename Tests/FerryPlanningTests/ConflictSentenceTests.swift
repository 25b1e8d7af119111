// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

@testable import FerryPlanning

@Suite(.timeLimit(.minutes(1))) struct ConflictSentenceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var policy: ConflictPolicy
    var sentence: String?
    var remote: Fields = ["title": "theirs", "score": 3]
  }

  private static let kept = "is kept as a conflict record."

  private static let cases = [
    Case(
      testDescription: "remoteWins", policy: .remoteWins,
      sentence:
        "Both sides changed score, title. The server's value stays, and the local one \(kept)"
    ),
    Case(
      testDescription: "localWins", policy: .localWins,
      sentence: "Both sides changed score, title. The local value stays, and the server's \(kept)"),
    Case(
      testDescription: "a side for each field", policy: .choosingByField(["score": .local]),
      sentence: "Both sides changed score, title. The local value of score stays, and the server's "
        + "\(kept) The server's value of title stays, and the local one \(kept)"),
    Case(
      testDescription: "a resolver", policy: .resolvingFields { $0.local },
      sentence:
        "Both sides changed score, title. The app's resolver decides, and lost values are kept "
        + "as a conflict record."),
    Case(
      testDescription: "a resolver that fails",
      policy: .resolvingFields { _ in throw CancellationError() },
      sentence:
        "Both sides changed score, title. The app's resolver failed: the server's value stays, "
        + "and the local one \(kept)"),
    Case(
      testDescription: "no conflict", policy: .remoteWins, sentence: nil,
      remote: ["title": "old", "score": 1]),
  ]

  @Test(arguments: cases)
  func `a merge says which side wins in which field`(_ test: Case) {
    let outcome = MergeTests.merge(
      base: ["title": "old", "score": 1], local: ["title": "mine", "score": 2],
      remote: test.remote, test.policy)
    #expect(outcome.conflictSentence == test.sentence)
  }

  @Test func `a loss names the values that stay`() {
    let outcome = MergeTests.merge(
      base: ["title": "old", "score": 1], local: ["title": "mine", "score": 2],
      remote: ["title": "theirs", "score": 3], .choosingByField(["score": .local]))
    #expect(outcome.losses.map(\.fields) == [["title": "mine"], ["score": 3]])
    #expect(outcome.losses.map(\.kept) == [["title": "theirs"], ["score": 2]])
  }
}
