// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The notes that the person wants to see.
struct NoteList: Sendable, Equatable {
  /// The name of a folder; nil for all notes.
  var folder: String?
  /// A part of the text; nil for all texts.
  var search: String?

  /// A note as the list shows it.
  struct Line: Sendable, Equatable {
    var note: Note
    var folder: String?
    /// Who may read and change the note; nil until the server has told.
    var access: AccessList?
    /// Whether an unsent change waits for the person; nil if the server has all of the note.
    var isRefused: Bool?
  }

  var title: String {
    (folder.map { " · folder \($0)" } ?? "") + (search.map { " · with “\($0)”" } ?? "")
  }

  private var query: Query {
    var wanted: TypedCondition<Note> = !.isNull(\.text)
    // Folders that two devices made offline under one name are one folder to people.
    if let folder {
      wanted = wanted && TypedCondition(.field("folder.name", .equal, .string(folder)))
    }
    if let search {
      wanted = wanted && .text(\.text, .contains(search), [.ignoringCase, .ignoringDiacritics])
    }
    return Query(Note.self, where: wanted, orderedBy: .ascending(\.isDone))
  }

  func lines(in db: any StoreReader) throws -> [Line] {
    let records = try db.records(query)
    let unsent = try db.unsentStates(of: Note.className, localIDs: records.map(\.localID))
    let folders = Dictionary(
      try db.all(Folder.self).map { ($0.objectId, $0.name) }, uniquingKeysWith: { $1 })
    return records.map { record in
      let note = Note(showing: record)
      return Line(
        note: note, folder: note.folder.flatMap { folders[$0.objectID] ?? nil },
        access: record.acl.isNull ? nil : AccessList(record.acl),
        isRefused: unsent[note.id].map { $0 == .parked })
    }
  }
}
