// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import Testing

/// Walks every row of the table in `WriteConsequence`.
@Suite(.timeLimit(.minutes(1))) struct WriteConsequenceTests {
  struct Row: CustomTestStringConvertible {
    var meaning: RefusalMeaning
    /// For a create with an id of its own, another create, an update, and a delete.
    var consequences: [WriteConsequence]

    init(_ meaning: RefusalMeaning, _ consequence: WriteConsequence) {
      self.init(meaning, consequence, consequence, consequence, consequence)
    }

    init(
      _ meaning: RefusalMeaning, _ createWithID: WriteConsequence, _ create: WriteConsequence,
      _ update: WriteConsequence, _ delete: WriteConsequence? = nil
    ) {
      self.meaning = meaning
      consequences = [createWithID, create, update, delete ?? update]
    }

    var testDescription: String { "\(meaning)" }
  }

  static let rows: [Row] = [
    Row(.refused, .park), Row(.forbidden, .park, .park, .park, .lookUp(.denied)),
    Row(.invalidName, .findOutAboutIDs, .park, .park),
    Row(.duplicate, .lookUp(.duplicate), .lookUp(.duplicate), .park),
    Row(.notFoundOrForbidden, .askForLogin, .askForLogin, .lookUp(.denied)),
    Row(.outcomeUnknown(mayStillRun: true), .doubt(mayStillRun: true)),
    Row(.outcomeUnknown(mayStillRun: false), .doubt(mayStillRun: false)),
    Row(.malformed, .doubt(mayStillRun: false)), Row(.cut, .doubt(mayStillRun: false)),
    Row(.tooLarge, .sendSmaller),
    Row(.retryLater, .postpone), Row(.failed, .postpone), Row(.rateLimited, .postpone),
    Row(.loginNeeded, .postpone), Row(.unauthorized, .postpone), Row(.wrongURL, .postpone),
    Row(.notParse, .postpone),
  ]

  @Test(arguments: rows)
  func `a refusal has one consequence for each kind of write`(row: Row) {
    let kinds: [WriteKind] = [.createWithID, .create, .update, .delete]
    #expect(kinds.map { WriteConsequence(row.meaning, of: $0) } == row.consequences)
    #expect(kinds == WriteKind.allCases)
  }
}
