// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Testing

@testable import FerryEngine

/// The note by which a store that went back to a backup is found out.
@Suite(.timeLimit(.minutes(1)))
struct SentAdditionsTests {
  private func store(_ counts: [String: Int]) -> SentAdditions { SentAdditions(counts: counts) }

  @Test func `a store that has sent less than its folder knows went back`() {
    let before = store(["a": 1])
    #expect(before.mayHaveSentMore(accordingTo: AdditionsNote(folder: "a", count: 2)))
    #expect(!before.mayHaveSentMore(accordingTo: AdditionsNote(folder: "a", count: 1)))
    #expect(
      !before.mayHaveSentMore(accordingTo: AdditionsNote(folder: "a")), "the folder went back")
    #expect(
      store([:]).mayHaveSentMore(accordingTo: AdditionsNote(folder: "a", count: 1)),
      "the backup is from before the first addition")
    #expect(!store([:]).mayHaveSentMore(accordingTo: nil), "neither has sent any")
    #expect(!store([:]).mayHaveSentMore(accordingTo: AdditionsNote(folder: "a")))
  }

  @Test func `a store beside a folder that it does not know may come from another device`() {
    let before = store(["a": 1])
    #expect(before.mayHaveSentMore(accordingTo: nil))
    #expect(before.mayHaveSentMore(accordingTo: AdditionsNote(folder: "b")))
    #expect(before.mayHaveSentMore(accordingTo: AdditionsNote(folder: "b", count: 1)))
    #expect(
      !store(["a": 1, "b": 1]).mayHaveSentMore(accordingTo: AdditionsNote(folder: "b", count: 1)))
  }

  @Test func `a note that is damaged or gone counts as none`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let staging = try StagingArea(folder: folder)
    #expect(staging.additionsNote == nil)
    try staging.note(AdditionsNote(folder: "a", count: 3))
    #expect(staging.additionsNote == AdditionsNote(folder: "a", count: 3))
    for text in [
      #"{"folder""#, #"{"folder":"a","count":9007199254740992}"#, #"{"folder":"a","count":-1}"#,
    ] {
      try Data(text.utf8).write(to: folder.appending(path: "additions.json"))
      #expect(staging.additionsNote == nil, "\(text)")
    }
  }

  @Test func `a dry run knows the note, and an empty folder has none`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let staging = try StagingArea(folder: folder)
    #expect(try staging.clone().additionsNote == nil)
    try staging.note(AdditionsNote(folder: "a", count: 3))
    let clone = try staging.clone()
    #expect(clone.additionsNote == AdditionsNote(folder: "a", count: 3))
    try clone.note(AdditionsNote(folder: "a", count: 4))
    #expect(staging.additionsNote?.count == 3, "the dry run sends nothing")
  }
}
