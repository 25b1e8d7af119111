// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// How many batches with additions to numbers a store has begun to send: the store keeps it, and the staging folder
/// beside it.
///
/// A create that holds such a number counts, too.
///
/// If the folder has a greater count than the store, the store went back to a backup. Additions that it has not sent
/// may then have been sent after all. The same holds if the folder does not know the store: it may have come from another device.
struct SentAdditions: Codable, Equatable, Sendable {
  /// Names the store and its copies; empty before the first addition.
  var store = ""
  var count = 0

  /// Whether the store may have sent more than it knows, because it went back to a backup or came from another device.
  func mayHaveSentMore(accordingTo beside: SentAdditions) -> Bool {
    store.isEmpty || store == beside.store ? beside.count > count : count > 0
  }

  /// The count that the store and the folder have from now on.
  func catchingUp(with beside: SentAdditions) -> SentAdditions {
    store.isEmpty || store == beside.store ? beside : self
  }
}

extension StagingArea {
  private var additions: URL { folder.appending(path: "additions.json") }

  /// The note beside the store; that of no additions if it is not there, cannot be read, or has a number that no store reaches.
  var sentAdditions: SentAdditions {
    guard let text = try? files.read(additions),
      let note = try? JSONDecoder().decode(SentAdditions.self, from: text),
      (0...Self.mostAdditions).contains(note.count)
    else { return SentAdditions() }
    return note
  }

  private static var mostAdditions: Int { 1 << 53 }

  /// Copies the note of another folder, so that a dry run recognises a backup, too.
  func takeSentAdditions(of other: StagingArea) throws(SyncError) {
    let noted = other.sentAdditions
    if noted != SentAdditions() { try note(noted) }
  }

  func note(_ additions: SentAdditions) throws(SyncError) {
    do {
      try files.write(try JSONEncoder().encode(additions), to: self.additions)
    } catch {
      throw (error as? SyncError) ?? SyncError.staging("write", self.additions, cause: error)
    }
  }
}
