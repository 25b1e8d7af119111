// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import Foundation
import Randomness
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// The state of a class is kept in the form in which stores have it.
@Suite(.timeLimit(.minutes(1))) struct ClassStateNoteTests {
  private static let time = Timestamp(milliseconds: 1_700_000_000_000)
  private static let wholeText =
    #"{"completeListing":{"isCounted":true,"listingID":"l2","serverTimeLowerBound":"2023-11-14T22:13:20.000Z","#
    + #""unchangedCount":3},"countDisagreements":1,"cursor":{"comparableRows":7,"#
    + #""newest":"2023-11-14T22:13:20.001Z","serverTimeLowerBound":"2023-11-14T22:13:20.000Z"},"#
    + #""failure":{"isForbidden":true,"message":"No \"one\" may."},"fingerprint":"f","#
    + #""importing":{"lastPage":2,"listingID":"l3"},"isCountForbidden":true,"isInitialSyncDone":true,"#
    + #""lastImport":{"lastPage":4,"listingID":"l2"},"listedFields":["score","title"],"#
    + #""logPosition":{"isConfirmed":true,"place":"1790000000000"},"#
    + #""removals":{"day":20000,"local":2,"server":5},"scan":{"boundaries":["2023-11-14T22:13:20.000Z"],"#
    + #""day":20001,"pause":3,"userID":"u1"},"unknownFields":["title"],"unseenFields":["score"],"#
    + #""uploadSequence":9}"#

  private static func whole() throws -> ClassState {
    var state = ClassState()
    state.completeListing = CompleteListing(
      listingID: "l2", serverTimeLowerBound: time, unchangedCount: 3, isCounted: true)
    state.countDisagreements = 1
    state.cursor = DownloadCursor(
      serverTimeLowerBound: time, newest: time.adding(milliseconds: 1), comparableRows: 7)
    state.failure = .init(isForbidden: true, message: "No \"one\" may.")
    state.fingerprint = "f"
    state.importing = .init(listingID: "l3", lastPage: 2)
    state.isCountForbidden = true
    state.isInitialSyncDone = true
    state.lastImport = .init(listingID: "l2", lastPage: 4)
    state.listedFields = ["title", "score"]
    state.logPosition = LogPosition(place: "1790000000000", isConfirmed: true)
    state.removals = RemovalTally(day: 20000, local: 2, server: 5)
    state.scan = try JSONText.note(
      RollingScan.self,
      from: #"{"boundaries":["2023-11-14T22:13:20.000Z"],"day":20001,"pause":3,"userID":"u1"}"#)
    state.unknownFields = ["title"]
    state.unseenFields = ["score"]
    state.uploadSequence = 9
    return state
  }

  @Test func `a state has the text that it had in earlier stores`() throws {
    #expect(WireJSON.text(of: try Self.whole()) == Self.wholeText)
    #expect(try JSONText.note(ClassState.self, from: Self.wholeText) == Self.whole())
    let newText =
      #"{"countDisagreements":0,"cursor":{},"isCountForbidden":false,"isInitialSyncDone":false,"#
      + #""removals":{"day":0,"local":0,"server":0},"unknownFields":[],"unseenFields":[],"uploadSequence":0}"#
    #expect(WireJSON.text(of: ClassState()) == newText)
    #expect(try JSONText.note(ClassState.self, from: newText) == ClassState())
  }

  @Test
  func `a state that lacks a member of its own is damaged, and a member of a newer program is not`()
    throws
  {
    let whole = try JSONSerialization.jsonObject(with: Data(Self.wholeText.utf8))
    let members = try #require(whole as? [String: Any])
    let optional = [
      "completeListing", "failure", "fingerprint", "importing", "lastImport", "listedFields",
      "logPosition",
      "scan",
    ]
    for name in members.keys {
      var rest = members
      rest[name] = nil
      let text = String(decoding: try JSONSerialization.data(withJSONObject: rest), as: UTF8.self)
      let read = try? JSONText.note(ClassState.self, from: text)
      #expect((read != nil) == optional.contains(name), "\(name)")
      rest[name] = "another type"
      let wrong = String(decoding: try JSONSerialization.data(withJSONObject: rest), as: UTF8.self)
      if name != "fingerprint" {
        #expect((try? JSONText.note(ClassState.self, from: wrong)) == nil, "\(name)")
      }
    }
    let newer = #"{"aNewMember":[{}],"# + Self.wholeText.dropFirst()
    #expect(try JSONText.note(ClassState.self, from: newer) == Self.whole())
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `a state is read as it was written, whichever parts it has`(seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    let whole = try Self.whole()
    var state = ClassState()
    if chance.one(in: 2) { state.completeListing = whole.completeListing }
    if chance.one(in: 2) {
      state.completeListing = CompleteListing(
        listingID: "l\(seed)", serverTimeLowerBound: nil, unchangedCount: nil, isCounted: false)
    }
    if chance.one(in: 2) { state.cursor.newest = Self.time }
    if chance.one(in: 2) { state.cursor.serverTimeLowerBound = Self.time }
    if chance.one(in: 2) { state.cursor.comparableRows = Int(seed) }
    if chance.one(in: 2) { state.failure = whole.failure }
    if chance.one(in: 2) { state.fingerprint = "\u{1F3C6}\n\"\(seed)\\" }
    if chance.one(in: 2) { state.importing = whole.importing }
    if chance.one(in: 2) { state.lastImport = whole.lastImport }
    if chance.one(in: 2) { state.listedFields = chance.one(in: 2) ? [] : whole.listedFields }
    if chance.one(in: 2) {
      state.scan = RollingScan(
        agreeingOn: Int64(seed), as: chance.one(in: 2) ? nil : "u", rows: 10, pace: nil)
    }
    state.isCountForbidden = chance.one(in: 2)
    state.isInitialSyncDone = chance.one(in: 2)
    state.needsLoginToCreate = chance.one(in: 2)
    let text = WireJSON.text(of: state)
    #expect(try JSONText.note(ClassState.self, from: text) == state)
    #expect(ClassNote.needsLogin(text) == state.needsLoginToCreate)
  }
}
