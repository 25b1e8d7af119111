// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The notes of the user who is logged in, or of nobody.
struct Notebook: Sendable {
  let user: ParseUser?
  let store: SQLiteStore
  let coordinator: SyncCoordinator
  /// The owners from which a sync may take the store over.
  let adopting: Set<StoreAdoption>
  /// The number of unsent notes of before the log-in that stay nobody's.
  let leftWithNobody: Int

  var userName: String { user.map { $0.username ?? $0.objectID } ?? "nobody" }

  /// Opens the store of the present user, away from the task that draws.
  ///
  /// Notes of before the first log-in become the user's. They stay nobody's where the user has a store already.
  @concurrent static func open(
    _ stores: SyncStores, _ accounts: ParseAccounts
  ) async throws -> Notebook {
    let user = try await accounts.user()
    // It fails where the user has a store already. Another cause shows when the store is opened.
    let isLeft = user.map { (try? stores.adopt(by: $0.objectID)) == nil } ?? false
    let left = try await (isLeft ? stores.open(for: nil) : nil)?
      .read { try $0.count(of: Note.className, where: .isUnsent) }
    let place = try stores.place(of: user?.objectID)
    let store = try stores.open(for: user?.objectID)
    let coordinator = try SyncCoordinator(
      store: store, server: accounts.server, staging: place.staging,
      checking: [Note.self, Folder.self])
    return Notebook(
      user: user, store: store, coordinator: coordinator, adopting: place.adopting,
      leftWithNobody: left ?? 0)
  }

  /// Adds a note to a folder, which is made if there is none of that name.
  func add(_ text: String, to folder: String?, sharedWith reader: String?) async throws {
    let access = try reader.map { try list(sharedWith: $0) }
    try await store.write { db in
      var note = Note(text: text, isDone: false)
      note.folder = try folder.map { name in
        let known = try db.all(Query(Folder.self, where: \.name == name, limit: 1), as: Folder.self)
        let id = try known.first?.objectId ?? db.insert(Folder(name: name)).objectID
        return Pointer(className: Folder.className, objectID: id)
      }
      try db.insert(note, acl: access)
    }
  }

  /// Lets a closure change a note, unless it is another user's: that edit would be refused, and wait in vain.
  func change(
    _ id: LocalID, _ body: @escaping @Sendable (any StoreTransaction, inout Note) throws -> Void
  ) async throws {
    try await store.write { db in
      guard let record = try db.record(of: Note.className, localID: id) else {
        throw Problem("There is no note \(id), so nothing was changed. The list shows the numbers.")
      }
      let access = AccessList(record.acl) ?? AccessList()
      let own = user.map { access[$0.party] } ?? []
      // A new note has no list before the server has told.
      guard record.acl.isNull || own.union(access[.everyone]).contains(.write) else {
        throw Problem(
          "The note \(id) is another user's. You may only read it. Nothing was changed.")
      }
      let former = Note(showing: record)
      var note = former
      try body(db, &note)
      if note != former { try db.update(note) }
    }
  }

  /// The access list of a note that `everyone`, the user of an id, or `nobody` else may read.
  func list(sharedWith reader: String) throws(Problem) -> AccessList {
    guard let user else {
      throw Problem("Nobody is logged in, so nothing was shared. Log in first.")
    }
    switch reader {
    case "nobody", user.objectID: return [user.party: .readWrite]
    case "everyone": return [user.party: .readWrite, .everyone: .read]
    // All ids of a server have one length, and names do not.
    case _ where reader.count == user.objectID.count:
      return [user.party: .readWrite, .user(reader): .read]
    default: throw Problem("\(reader) is no user's id, which whoami shows. Nothing was shared.")
    }
  }
}

/// A text for the person: what happened, what became of the note, and what to do next.
struct Problem: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
