// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// A key of the engine's bookkeeping, and the type of its value.
struct BookkeepingKey<Content: Equatable & Sendable>: Sendable {
  let name: String
  let initial: Content
  let write: @Sendable (Content) throws -> String
  let read: @Sendable (String) throws -> Content
}

extension BookkeepingKey where Content: Codable {
  init(name: String, initial: Content) {
    self.init(
      name: name, initial: initial, write: { try StoredJSON.text($0) },
      read: { try StoredJSON.note(Content.self, from: $0) })
  }
}

extension BookkeepingKey where Content: Note {
  /// A sync writes the state of each class twice, for which Swift's coders would take a sixth of a sync without changes.
  init(name: String, initial: Content) {
    self.init(
      name: name, initial: initial, write: { WireJSON.text(of: $0) },
      read: { try JSONText.note(Content.self, from: $0) })
  }
}

extension BookkeepingKey where Content == ClassState {
  static func classState(_ className: String) -> Self {
    Self(name: ClassNote.key(of: className), initial: ClassState())
  }
}

extension BookkeepingKey where Content == ServerCapabilities {
  static var capabilities: Self { Self(name: "server", initial: ServerCapabilities()) }
}

extension BookkeepingKey where Content == StoreOwner? {
  static var binding: Self { Self(name: "binding", initial: nil) }
}

extension BookkeepingKey where Content == [String: Timestamp] {
  /// Rows of a class that were deleted on the server and wait for a confirmation: their creation
  /// times, by object id.
  static func heldRemovals(_ className: String) -> Self {
    Self(name: "held/\(className)", initial: [:])
  }
}

extension BookkeepingKey where Content == [String: Int] {
  /// The fewest records that a class had while the guard held removals back, by side.
  ///
  /// It means nothing on a side where none are held.
  static func totalsWhenHeld(_ className: String) -> Self {
    Self(name: "totalWhenHeld/\(className)", initial: [:])
  }
}

extension BookkeepingKey where Content == [String: String] {
  /// Rows of a class that were deleted on the server and that rules of other programs keep: the rules in words, by
  /// object id.
  static func keptRows(_ className: String) -> Self {
    Self(name: "kept/\(className)", initial: [:])
  }
}

extension BookkeepingKey where Content == SentFiles.Sent? {
  /// A file of the server that this store has sent, for a field whose replaced files leave the server.
  static func ownFile(_ name: String) -> Self { Self(name: "ownFile/\(name)", initial: nil) }
}

extension BookkeepingKey where Content == SentFiles {
  /// The new files that left, or may have left.
  static var sentFiles: Self { Self(name: SentFileNames.key, initial: SentFiles()) }
}

extension BookkeepingKey {
  /// A value as it is kept.
  fileprivate func json(_ content: Content) throws(StoreError) -> String {
    do {
      return try write(content)
    } catch {
      throw StoreError(
        .database,
        "The store's own notes “\(name)” could not be written as JSON, so nothing was changed. Please "
          + "report this with the text of this message.",
        cause: error)
    }
  }
}

extension SyncReader {
  /// The value under a key, or its initial value.
  func state<Content>(_ key: BookkeepingKey<Content>) throws(StoreError) -> Content {
    guard let text = try bookkeeping(key.name) else { return key.initial }
    if let content = decodedNotes?.content(of: key.name, in: text, as: Content.self) {
      return content
    }
    do {
      let content = try key.read(text)
      decodedNotes?.keep(content, of: key.name, as: text)
      return content
    } catch {
      throw StoreError(
        .damaged,
        "The store's own notes “\(key.name)” cannot be read, so nothing was changed. Something other "
          + "than Ferry may have written to them. Use a backup of the file.",
        cause: error)
    }
  }
}

extension SyncTransaction {
  /// Changes the value under a key; writes nothing if it stays the same.
  func change<Content>(
    _ key: BookkeepingKey<Content>, _ change: (inout Content) -> Void
  ) throws(StoreError) {
    let before = try state(key)
    var content = before
    change(&content)
    guard content != before else { return }
    let text = try key.json(content)
    assert((try? key.read(text)) == content)
    try setBookkeeping(key.name, to: text)
    decodedNotes?.keep(content, of: key.name, as: text)
  }
}
