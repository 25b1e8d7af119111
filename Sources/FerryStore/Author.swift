// Ferry: offline-first sync for Parse Server. MIT licence.

/// Who made a change.
public enum Author: Int, Sendable, Codable, CaseIterable {
  /// The app, or any other program that writes to the tables; the next sync sends its changes.
  case app = 0
  /// The engine, when it imports what the server holds.
  case sync = 1
}
