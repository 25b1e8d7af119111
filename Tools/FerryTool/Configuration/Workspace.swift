// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// The folder a command works in, and what is where in it.
struct Workspace: Sendable {
  var folder: URL

  /// The flag counts most, then the environment, then the current folder.
  init(flag: String?, environment: [String: String]) {
    let named = flag ?? environment["FERRY_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 }
    folder = URL(filePath: named ?? ".", directoryHint: .isDirectory).absoluteURL.standardized
  }

  var configuration: URL { folder.appending(path: "ferry.json") }
  var store: URL { folder.appending(path: "store.sqlite") }
  /// The user who is logged in, and the token of the session.
  var credentials: FileCredentialStore { FileCredentialStore(at: credentialsFile) }
  var credentialsFile: URL { folder.appending(path: "credentials.json") }
  /// Whether the folder has a store, whose file is not empty.
  ///
  /// Every command takes an empty file for no store: a program made it and ended, or something emptied it.
  var hasStore: Bool { storeSize ?? 0 > 0 }
  /// Whether the store's file is there, and empty.
  var isStoreEmpty: Bool { storeSize == 0 }
  private var storeSize: Int? {
    var status = stat()
    return stat(store.filePath, &status) == 0 ? Int(status.st_size) : nil
  }
  var files: URL { folder.appending(path: "files", directoryHint: .isDirectory) }
  var staging: URL { folder.appending(path: "staging", directoryHint: .isDirectory) }
}

extension URL {
  /// The path as the system and people write it, without a slash at its end.
  var filePath: String {
    let path = path(percentEncoded: false)
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
