// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The note in a staging folder: a name for the folder, and the batches that were sent with it beside the store.
struct AdditionsNote: Codable, Equatable, Sendable {
  var folder: String
  var count = 0
}

extension StagingArea {
  private var additions: URL { folder.appending(path: "additions.json") }

  /// The note in the folder; nil if it is not there, cannot be read, or has a number that no store reaches.
  var additionsNote: AdditionsNote? {
    guard let text = try? files.read(additions),
      let note = try? JSONDecoder().decode(AdditionsNote.self, from: text),
      (0..<Self.mostAdditions).contains(note.count)
    else { return nil }
    return note
  }

  private static var mostAdditions: Int { 1 << 53 }

  /// Copies the note of another folder, so that a dry run recognises a backup, too.
  func takeAdditionsNote(of other: StagingArea) throws(SyncError) {
    if let noted = other.additionsNote { try note(noted) }
  }

  func note(_ additions: AdditionsNote) throws(SyncError) {
    do {
      try files.write(try JSONEncoder().encode(additions), to: self.additions)
    } catch {
      throw (error as? SyncError) ?? SyncError.staging("write", self.additions, cause: error)
    }
  }
}
