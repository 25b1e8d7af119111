// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Synchronization

/// The records that the names of a story mean: each is one row on each device and one on the server.
final class NameBook: Sendable {
  /// The ids of one record.
  struct Identity: Sendable {
    var className: String
    /// Every id it ever had, oldest first; the server and the devices may know it by different ones.
    var objectIDs: [String] = []
    /// Its row on the devices it was inserted on.
    var localIDs: [String: LocalID] = [:]
  }

  /// A row as one device names it.
  private struct Row: Hashable {
    var device: String
    var className: String
    var localID: LocalID
  }

  private struct Book {
    var identities: [String: Identity] = [:]
    var namesByID: [Pointer: String] = [:]
    var namesByRow: [Row: String] = [:]
  }

  private let book = Mutex(Book())

  func identity(_ name: String) -> Identity? { book.withLock { $0.identities[name] } }

  /// The records of which it is not known which row they are on a device.
  func unplaced(on device: String) -> [(name: String, identity: Identity)] {
    book.withLock { book in
      book.identities.filter { $1.localIDs[device] == nil }.map { ($0, $1) }
    }
  }

  func learn(
    _ name: String, _ className: String, objectID: String, on device: String? = nil,
    localID: LocalID? = nil
  ) {
    book.withLock { book in
      var identity = book.identities[name] ?? Identity(className: className)
      if !identity.objectIDs.contains(objectID) { identity.objectIDs.append(objectID) }
      book.namesByID[Pointer(className: className, objectID: objectID)] = name
      if let device, let localID {
        identity.localIDs[device] = localID
        book.namesByRow[Row(device: device, className: className, localID: localID)] = name
      }
      book.identities[name] = identity
    }
  }

  /// Learns the id of a second record that came of the same create; it counts as an early one.
  func learnDuplicate(_ name: String, objectID: String) {
    book.withLock { book in
      guard let identity = book.identities[name], !identity.objectIDs.contains(objectID) else {
        return
      }
      book.identities[name]?.objectIDs.insert(objectID, at: 0)
      book.namesByID[Pointer(className: identity.className, objectID: objectID)] = name
    }
  }

  /// A device goes on with the rows of a device, as far as they are there.
  func adopt(
    rowsOf source: String, on device: String, where isThere: (String, LocalID) throws -> Bool
  ) rethrows {
    try book.withLock { book in
      book.namesByRow = book.namesByRow.filter { $0.key.device != device }
      for (name, identity) in book.identities {
        var localID = identity.localIDs[source]
        if let id = localID, try !isThere(identity.className, id) { localID = nil }
        book.identities[name]?.localIDs[device] = localID
        guard let localID else { continue }
        let row = Row(device: device, className: identity.className, localID: localID)
        book.namesByRow[row] = name
      }
    }
  }

  /// Follows the records whose rows another program put under other local ids.
  func follow(on device: String, to place: (String, String) throws -> LocalID?) rethrows {
    try book.withLock { book in
      var moved: [String: LocalID] = [:]
      for (name, identity) in book.identities {
        guard let old = identity.localIDs[device] else { continue }
        for id in identity.objectIDs.reversed() {
          guard let new = try place(identity.className, id) else { continue }
          if new != old { moved[name] = new }
          break
        }
      }
      book.namesByRow = book.namesByRow.filter { $0.key.device != device || moved[$0.value] == nil }
      for (name, localID) in moved {
        guard let className = book.identities[name]?.className else { continue }
        book.identities[name]?.localIDs[device] = localID
        book.namesByRow[Row(device: device, className: className, localID: localID)] = name
      }
    }
  }

  /// The name of a record by one of its ids.
  func name(of className: String, objectID: String) -> String? {
    book.withLock { $0.namesByID[Pointer(className: className, objectID: objectID)] }
  }

  /// The name of a row by its place on a device.
  func name(of className: String, localID: LocalID, on device: String) -> String? {
    book.withLock {
      $0.namesByRow[Row(device: device, className: className, localID: localID)]
    }
  }
}
