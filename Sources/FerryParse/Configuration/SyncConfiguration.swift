// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import Foundation

/// The contents of a `ferry.json`: a server, and the classes to keep of it.
///
/// The tool `ferry` works from this file. An app that reads the same file has the same schema.
///
/// ```swift
/// let configuration = try SyncConfiguration(json: Data(contentsOf: file))
/// let store = try SQLiteStore(at: database, schema: configuration.schema)
/// let server = ParseServer(
///   url: configuration.server, applicationID: configuration.applicationID)
/// ```
///
/// `ferry help configuration` shows the form of the file.
public struct SyncConfiguration: Sendable {
  /// The use of a file that holds one secret; the raw value is its key in `ferry.json`.
  public enum KeyRole: String, Sendable, CaseIterable {
    /// The file of the REST key.
    case restKey = "restKeyFile"
    /// The file of the master key; for tools, never for an app.
    case masterKey = "masterKeyFile"
    /// The file of a user's session token.
    case sessionToken = "sessionTokenFile"
  }

  /// The address of the Parse Server, with its mount path.
  public var server: URL
  /// The application's id.
  public var applicationID: String
  /// The paths of the files that hold one secret each, as the file has them; never a secret.
  ///
  /// A relative path starts at the folder of `ferry.json`. Ferry does not read these files.
  public var keyFiles: [KeyRole: String]
  /// The classes.
  public var schema: Schema

  /// Makes a configuration of its parts; `json` is its file.
  ///
  /// - Parameters:
  ///   - server: The address of the Parse Server, with its mount path.
  ///   - applicationID: The application's id.
  ///   - keyFiles: The paths of the files that hold one secret each.
  ///   - schema: The classes.
  public init(
    server: URL, applicationID: String, keyFiles: [KeyRole: String] = [:], schema: Schema
  ) {
    self.server = server
    self.applicationID = applicationID
    self.keyFiles = keyFiles
    self.schema = schema
  }

  /// The keys that the file may have.
  public static var keys: [String] {
    ["server", "applicationId", "classes"] + KeyRole.allCases.map(\.rawValue)
  }
}
