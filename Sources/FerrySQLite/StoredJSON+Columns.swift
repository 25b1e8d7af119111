// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// Ferry's own notes in text columns.
extension StoredJSON {
  static func columnText(_ note: some Encodable) throws(StoreError) -> String {
    do {
      return try text(note)
    } catch {
      throw StoreError(
        .database, "A value could not be written as JSON. Nothing was stored.", cause: error)
    }
  }

  static func columnNote<Note: Decodable>(
    _ type: Note.Type, from text: String
  ) throws(StoreError) -> Note {
    do {
      return try note(type, from: text)
    } catch {
      throw damaged(cause: error)
    }
  }

  /// A note that reads itself.
  static func columnNote<N: Note>(reading text: String) throws(StoreError) -> N {
    do {
      return try JSONText.note(N.self, from: text)
    } catch {
      throw damaged(cause: error)
    }
  }

  static func damaged(cause: (any Error)? = nil) -> StoreError {
    StoreError(
      .damaged,
      "A row of Ferry's own tables cannot be read: it was changed by another program, or the "
        + "file is damaged. Nothing was changed. Restore a copy of the store, or move it away "
        + "and sync into a new one. Changes that were not sent are in the moved file alone.",
      cause: cause)
  }
}
