// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Synchronization

/// What the names of a story stand for: a record is one row on each device and one on the server.
final class NameBook: Sendable {
  /// What is known of one record.
  struct Identity: Sendable {
    var className: String
    /// Every id it ever had, oldest first; the server and the devices may know it by different ones.
    var objectIDs: [String] = []
    /// Its row on the devices it was inserted on.
    var localIDs: [String: LocalID] = [:]
  }

  private let identities = Mutex<[String: Identity]>([:])

  func identity(_ name: String) -> Identity? { identities.withLock { $0[name] } }

  /// The names that a device has a row of its own for.
  func names(on device: String) -> [(name: String, className: String, localID: LocalID)] {
    identities.withLock { identities in
      identities.compactMap { name, identity in
        identity.localIDs[device].map { (name, identity.className, $0) }
      }
    }
  }

  func learn(
    _ name: String, _ className: String, objectID: String, on device: String? = nil,
    localID: LocalID? = nil
  ) {
    identities.withLock { identities in
      var identity = identities[name] ?? Identity(className: className)
      if !identity.objectIDs.contains(objectID) { identity.objectIDs.append(objectID) }
      if let device, let localID { identity.localIDs[device] = localID }
      identities[name] = identity
    }
  }

  /// The name of a record by one of its ids.
  func name(of className: String, objectID: String) -> String? {
    identities.withLock { identities in
      identities.first { $1.className == className && $1.objectIDs.contains(objectID) }?.key
    }
  }

  /// The name of a row by its place on a device.
  func name(of className: String, localID: LocalID, on device: String) -> String? {
    identities.withLock { identities in
      identities.first { $1.className == className && $1.localIDs[device] == localID }?.key
    }
  }
}
