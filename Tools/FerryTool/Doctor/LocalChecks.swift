// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// The checks of this machine: the libraries, and who may read and change the files.
struct LocalChecks {
  /// A file or folder, and what others than its owner may do with it.
  struct Place: Sendable, Equatable {
    enum Kind: Sendable {
      /// Others must not change it.
      case folder, configuration
      /// Others must not even read it.
      case data, key
    }

    var path: String
    var kind: Kind
    /// The permission bits.
    var mode: mode_t
  }

  /// The file system that holds the folder of a project.
  struct Disk: Sendable, Equatable {
    /// The folder.
    var path: String
    /// Whether files can be made and changed in the folder.
    var isWritable: Bool
    /// The bytes that are left for this user.
    var freeBytes: UInt64
  }

  /// Those of the places that are there.
  var places: [Place]
  /// The disk; nil where nobody could ask.
  var disk: Disk?

  var checks: [Check] {
    [
      Check("libcurl", .ok, CurlTransport.libraryVersion),
      Check("SQLite", .ok, SQLiteStore.libraryVersion),
      disk?.check, files,
    ].compactMap(\.self)
  }

  var files: Check {
    let open = places.filter(\.isOpen)
    guard open.isEmpty else {
      let names = open.map(\.path).joined(separator: ", ")
      return Check(
        "files", .problem(.configuration), "Other users of this machine can use: \(names).",
        advice: "To close them:",
        commands: open.map { "chmod \($0.closedMode) \($0.path.shellQuoted)" })
    }
    if let folder = places.first(where: { $0.kind == .folder && $0.mode & 0o077 != 0 }) {
      return Check(
        "files", .notice,
        "Only their owner can use data and keys, but other users can list the folder.",
        advice: "To close it:", commands: ["chmod 700 \(folder.path.shellQuoted)"])
    }
    return Check("files", .ok, "Only their owner can use folder, data and keys.")
  }
}

extension LocalChecks.Disk {
  /// The log of a store, even without a record, and a staged answer need about this.
  private static let need: UInt64 = 1 << 20
  /// So little that a sync of many records may fill it.
  private static let little: UInt64 = 256 << 20

  var check: Check {
    let name = "disk"
    let free = "\(freeBytes >> 20) MiB are free in \(path)"
    guard isWritable else {
      return Check(
        name, .problem(.inputOutput),
        "\(path) cannot be written to: its file system or its permissions forbid it.",
        advice:
          "A sync keeps its store here. Make the folder writable, or choose another with --directory."
      )
    }
    if freeBytes < Self.need {
      return Check(
        name, .problem(.inputOutput), "Only \(free).",
        advice: "A sync stops where nothing fits any more, and loses nothing. Make room first.")
    }
    if freeBytes < Self.little {
      return Check(
        name, .notice, "Only \(free).",
        advice: "A first sync keeps staged answers beside the store until it has imported them.")
    }
    return Check(name, .ok, "The folder can be written to, and has room.")
  }

  /// Asks the file system of a folder.
  init?(_ folder: URL) {
    var status = statvfs()
    guard statvfs(folder.filePath, &status) == 0 else { return nil }
    path = folder.filePath
    // A user with all rights may write anywhere but on a file system that is read-only.
    isWritable = access(folder.filePath, W_OK) == 0
    freeBytes = UInt64(status.f_bavail) * UInt64(status.f_frsize)
  }
}

extension LocalChecks.Place {
  fileprivate var isOpen: Bool {
    switch kind {
    case .folder, .configuration: mode & 0o022 != 0
    case .data, .key: mode & 0o077 != 0
    }
  }

  fileprivate var closedMode: String { mode & S_IFMT == S_IFDIR ? "700" : "600" }
}

extension LocalChecks {
  /// Looks at the folder of a project and the key files.
  init(_ workspace: Workspace, keyFiles: [URL]) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: workspace.folder.filePath))
    let stores = (names ?? []).filter { $0.hasPrefix(workspace.store.lastPathComponent) }.sorted()
    let known: [(URL, Place.Kind)] =
      [(workspace.folder, .folder), (workspace.configuration, .configuration)]
      + stores.map { (workspace.folder.appending(path: $0), .data) }
      + [(workspace.staging, .data), (workspace.credentialsFile, .key)]
      + keyFiles.map { ($0, .key) }
    disk = Disk(workspace.folder)
    places = known.compactMap { url, kind in
      var status = stat()
      guard stat(url.filePath, &status) == 0 else { return nil }
      return Place(path: url.filePath, kind: kind, mode: status.st_mode)
    }
  }
}
