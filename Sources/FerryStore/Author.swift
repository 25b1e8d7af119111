// Ferry: offline-first sync for Parse Server. MIT licence.

/// Who made a change.
public enum Author: Int, Sendable, Codable, CaseIterable {
  /// The app, or anyone else who wrote to the tables: what has to be sent.
  case app = 0
  /// Ferry's own import of what the server holds.
  case sync = 1
}
