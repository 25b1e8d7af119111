// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// The server's answer about one record, at the moment when it was asked.
///
/// ```swift
/// switch try await coordinator.remoteRecord(of: "Game", objectID: "aB3") {
/// case .shown(let fields, let version): print(version.rawValue, fields["title"])
/// case .notShown: print("It is gone, or this user may not read it.")
/// case .unreadable(let reason), .refused(let reason): print(reason)
/// }
/// ```
public enum RemoteRecord: Sendable, Equatable {
  /// The declared fields that have a value on the server, and the record's version.
  case shown(fields: Fields, version: ServerVersion)
  /// The server shows no record under the id. It does not say whether the record is gone, was never there, or may not be
  /// read by this user.
  case notShown
  /// The record is there, and does not fit the schema. A sync puts it into quarantine for this reason.
  case unreadable(reason: String)
  /// The server refused the question for this class, for example because the user may not read it.
  case refused(reason: String)
}
