// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerrySQLite
import FerryStore
public import Foundation

/// A store for each user of a device, and one for nobody.
///
/// ```swift
/// let stores = SyncStores(in: folder.appending(path: "stores"), schema: schema)
/// let user = try await accounts.user()
/// let place = try stores.place(of: user?.objectID)
/// let coordinator = SyncCoordinator(
///   store: try stores.open(for: user?.objectID), server: accounts.server,
///   staging: place.staging)
/// _ = try await coordinator.startSync(adopting: place.adopting).report
/// ```
///
/// Each user has a database file and a staging folder of their own, so users never see each other's rows, and unsent changes
/// wait for their user. Nobody's store has the rows of the time before the first log-in; `adopt(by:)` gives it to a user who
/// has no store yet. Nothing is moved or copied: the file stays where it is, and gets another owner.
///
/// One folder is for one server and one application. Any thread may call the methods, and several processes may share
/// the folder.
public struct SyncStores: Sendable {
  private let folder: URL
  private let schema: Schema

  /// Names the folder; it neither reads nor makes it.
  ///
  /// - Parameters:
  ///   - folder: The folder of all stores; it is made with the first of them, for its owner only.
  ///   - schema: The classes of each store.
  public init(in folder: URL, schema: Schema) {
    self.folder = folder
    self.schema = schema
  }

  /// The place of a user's store, or of nobody's; the store need not be there yet.
  ///
  /// - Parameter userID: The id of the user, `ParseUser.objectID`; nil for nobody.
  /// - Returns: The place.
  /// - Throws: `SyncStoresError`.
  public func place(of userID: String?) throws(SyncStoresError) -> StorePlace {
    let owners = try StoreOwners.read(in: folder)
    return StorePlace(
      folder: folder.appending(path: owners.name(of: userID), directoryHint: .isDirectory),
      belongsToUser: userID != nil)
  }

  /// Opens the store of a user, or of nobody, and makes it at the first time.
  ///
  /// - Parameter userID: The id of the user, `ParseUser.objectID`; nil for nobody.
  /// - Returns: The store; keep it, rather than opening it again and again.
  /// - Throws: `SyncStoresError`, with the store's own error as its cause.
  public func open(for userID: String?) throws(SyncStoresError) -> SQLiteStore {
    try Self.makeFolder(folder)
    // An adoption at the same time gives the place to another owner before or after, but not between.
    return try StoreOwners.change(in: folder) { _ throws(SyncStoresError) in
      let place = try place(of: userID)
      try Self.makeFolder(place.folder)
      do throws(StoreError) {
        return try SQLiteStore(at: place.database, schema: schema)
      } catch {
        throw SyncStoresError(.store, error.message, cause: error)
      }
    }
  }

  /// Gives nobody's store to a user, as after a sign-up; nobody gets a new one.
  ///
  /// Call it before the user's store is opened for the first time: an open store is one that the user has. The next sync of
  /// that user sends the changes as theirs: give it `StorePlace.adopting`. A store of nobody's that is open stays open, and
  /// belongs to the user.
  ///
  /// - Parameter userID: The id of the user, `ParseUser.objectID`.
  /// - Returns: Whether nobody had a store.
  /// - Throws: `SyncStoresError`, with code `userHasStore` where the user has a store already; both stay as they are.
  @discardableResult
  public func adopt(by userID: String) throws(SyncStoresError) -> Bool {
    try Self.makeFolder(folder)
    return try StoreOwners.change(in: folder) { owners throws(SyncStoresError) in
      guard Self.hasStore(folder.appending(path: owners.name(of: nil))) else { return false }
      guard !Self.hasStore(folder.appending(path: owners.name(of: userID))) else {
        throw SyncStoresError(
          .userHasStore,
          "This user has a store on this device already, and two stores cannot become one. Both stay as they are. Copy "
            + "the rows by the app, or keep nobody's store.")
      }
      owners.giveNobodysStore(to: userID)
      return true
    }
  }

  private static func hasStore(_ folder: URL) -> Bool {
    access(StorePlace.database(in: folder).path(percentEncoded: false), F_OK) == 0
  }

  private static func makeFolder(_ folder: URL) throws(SyncStoresError) {
    guard let reason = errorOfMaking(folder) else { return }
    throw SyncStoresError(
      .folder,
      "The folder \(folder.path(percentEncoded: false)) cannot be made: \(String(cString: strerror(reason))). Nothing was "
        + "changed. Make sure that the folder above it belongs to you.",
      cause: POSIXErrorCode(rawValue: reason).map { POSIXError($0) })
  }

  /// Makes a folder and those above it; returns the system's error, or nil if it is there.
  ///
  /// `FileManager` does not tell the error.
  private static func errorOfMaking(_ folder: URL) -> Int32? {
    let path = folder.path(percentEncoded: false)
    guard mkdir(path, 0o700) != 0 else { return nil }
    let reason = errno
    var isFolder: ObjCBool = false
    if reason == EEXIST {
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && isFolder.boolValue ? nil : ENOTDIR
    }
    let above = folder.deletingLastPathComponent()
    guard reason == ENOENT, above.path != folder.path else { return reason }
    if let reason = errorOfMaking(above) { return reason }
    return mkdir(path, 0o700) == 0 || errno == EEXIST ? nil : errno
  }
}
