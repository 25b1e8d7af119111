// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The increments of an update, and the versions of the record over which it was sent; of a create, the values of such
/// fields.
///
/// The server adds an increment once for each request that arrives, and nothing in a record says which requests did.
/// So an increment of unknown outcome is not sent again before its outcome is known. The value of a create proves
/// nothing, since others may have added to it.
package struct SentIncrements: Sendable, Equatable {
  /// The row's values at that time, by field: the entry's base with the increments.
  package var targets: Fields
  /// The versions of the record that this device knew.
  ///
  /// As long as the server shows one of them, no write has reached the record since.
  package var versions: Set<String>
  /// When the last request may have left, in milliseconds of a clock that no one sets; nil as long as nobody knows.
  ///
  /// A transport repeats a request that the server was too busy for. So this is when the answer came, or when a later
  /// process found that none came.
  package var lastTry: Int64?

  /// Whether the store went back to a backup, so that nobody knows whether they were sent at all.
  package private(set) var isOfBackup: Bool

  package init(targets: Fields, versions: Set<String>, isOfBackup: Bool = false) {
    self.targets = targets
    self.versions = versions
    self.isOfBackup = isOfBackup
  }
}

extension SentIncrements: Note {
  package init(from json: inout JSONText) throws(JSONText.Malformed) {
    var targets: Fields?
    var versions: Set<String>?
    var isOfBackup = false
    var lastTry: Int64?
    try json.members { json, name throws(JSONText.Malformed) in
      switch name {
      case "backup": isOfBackup = try json.boolean()
      case "lastTry": lastTry = try json.integer()
      case "targets": targets = try json.fields()
      case "versions": versions = try json.names()
      default: try json.skip()
      }
    }
    guard let targets, let versions else { throw JSONText.Malformed() }
    self.init(targets: targets, versions: versions, isOfBackup: isOfBackup)
    self.lastTry = lastTry
  }

  package func write(to json: inout WireJSON) {
    json.object { json in
      if isOfBackup { json.member("backup", true) }
      if let lastTry { json.member("lastTry", lastTry) }
      json.member("targets", targets)
      json.member("versions", versions)
    }
  }
}
