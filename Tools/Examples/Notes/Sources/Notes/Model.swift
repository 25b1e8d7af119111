// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// A note: a record of the class Note on the server, and a row of the table Note here.
struct Note: SyncEntity, Equatable {
  static var fieldNames: [PartialKeyPath<Note>: String] { [\.text: "text", \.isDone: "isDone"] }
  var id = LocalID()
  var text: String?
  var isDone: Bool?
  var folder: Pointer?
}

extension Note {
  /// A row that another program has broken is shown, too, so that the person can mend it.
  init(showing record: Record) {
    self = (try? Note(reading: record)) ?? Note(id: record.localID, text: record["text"].json)
  }
}

/// A folder of notes.
struct Folder: SyncEntity, Equatable {
  static var fieldNames: [PartialKeyPath<Folder>: String] { [\.name: "name"] }
  var id = LocalID()
  var objectId: String?
  var name: String?
}

extension Schema {
  /// The classes of the app, whose records belong to the user who creates them from the first moment on.
  static let notes = Schema {
    Entity("Folder") {
      Field("name", .text)
    }
    .access(.creator())
    Entity("Note") {
      Field("text", .text)
      Field("isDone", .boolean, default: false)
      Field("folder", .pointer(to: "Folder"))
    }
    .access(.creator())
  }
}
