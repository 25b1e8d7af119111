// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import LoopbackParse

extension LoopbackServer {
  /// Gives the server records, or replaces those with the same ids.
  func load(_ notes: [LoopbackValue], of className: String = "Note") throws {
    try withBackend { backend throws(LoopbackError) in
      try backend.load(.object([className: .array(notes)]))
    }
  }

  /// Gives the server records that were just made: a listing goes back behind the last one so far that it shows
  /// them again.
  func loadRecentNotes(_ count: Int, isChanged: Bool = false) throws {
    try load(NoteGenerator.recent(count, isChanged: isChanged))
  }
}
