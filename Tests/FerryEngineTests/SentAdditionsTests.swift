// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Testing

@testable import FerryEngine

/// The note by which a store that went back to a backup is found out.
@Suite(.timeLimit(.minutes(1)))
struct SentAdditionsTests {
  @Test func `a store that has sent less than its folder knows went back`() {
    let before = SentAdditions(store: "a", count: 1)
    #expect(before.mayHaveSentMore(accordingTo: SentAdditions(store: "a", count: 2)))
    #expect(!before.mayHaveSentMore(accordingTo: before))
    #expect(
      !before.mayHaveSentMore(accordingTo: SentAdditions(store: "a", count: 0)),
      "the folder went back")
    #expect(
      SentAdditions().mayHaveSentMore(accordingTo: before),
      "the backup is from before the first addition")
    #expect(!SentAdditions().mayHaveSentMore(accordingTo: SentAdditions()), "neither has sent any")
  }

  @Test func `a folder that does not know a store leaves the question to the app, once`() {
    let store = SentAdditions(store: "a", count: 1)
    for beside in [SentAdditions(), SentAdditions(store: "b", count: 2)] {
      #expect(store.mayHaveSentMore(accordingTo: beside))
      let caughtUp = store.catchingUp(with: beside)
      #expect(caughtUp == store)
      #expect(!store.mayHaveSentMore(accordingTo: caughtUp))
    }
    let beside = SentAdditions(store: "a", count: 5)
    #expect(store.catchingUp(with: beside) == beside)
    #expect(SentAdditions().catchingUp(with: beside) == beside)
  }

  @Test func `a note that is damaged or gone counts as none`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let staging = try StagingArea(folder: folder)
    #expect(staging.sentAdditions == SentAdditions())
    try staging.note(SentAdditions(store: "a", count: 3))
    #expect(staging.sentAdditions == SentAdditions(store: "a", count: 3))
    for text in [
      #"{"store""#, #"{"store":"a","count":9223372036854775807}"#, #"{"store":"a","count":-1}"#,
    ] {
      try Data(text.utf8).write(to: folder.appending(path: "additions.json"))
      #expect(staging.sentAdditions == SentAdditions(), "\(text)")
    }
  }

  @Test func `a dry run knows the note, and an empty folder has none`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let staging = try StagingArea(folder: folder)
    #expect(try staging.clone().sentAdditions == SentAdditions())
    try staging.note(SentAdditions(store: "a", count: 3))
    let clone = try staging.clone()
    #expect(clone.sentAdditions == SentAdditions(store: "a", count: 3))
    try clone.note(SentAdditions(store: "a", count: 4))
    #expect(staging.sentAdditions.count == 3, "the dry run sends nothing")
  }
}
