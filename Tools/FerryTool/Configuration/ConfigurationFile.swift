// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// Reads and writes `ferry.json`.
struct ConfigurationFile {
  var workspace: Workspace

  private var file: URL { workspace.configuration }

  func read() throws(Failure) -> SyncConfiguration {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: file)
    } catch  where exists {
      throw Failure(
        .configuration, "unreadable-configuration",
        "ferry cannot read \(file.filePath): \(Failure.reason(of: error)). Nothing was done. Make sure "
          + "that it is a file and belongs to you.")
    } catch {
      throw Failure(
        .configuration, "no-configuration",
        "There is no ferry.json in \(workspace.folder.filePath). Nothing was done. Make one with "
          + "\"ferry init\", or name its folder with --directory.")
    }
    do throws(SyncConfigurationError) {
      return try SyncConfiguration(json: bytes)
    } catch {
      let place = "\(file.filePath):\(error.line):\(error.column)"
      throw Failure(
        .configuration, "broken-configuration",
        "\(place): \(error.words). Nothing was done. Correct the file; "
          + "\"ferry help configuration\" shows its form.")
    }
  }

  var exists: Bool { access(file.filePath, F_OK) == 0 }

  /// Writes the file whole or not at all, for its owner only, and makes its folder.
  func write(_ configuration: SyncConfiguration) throws(Failure) {
    try makeFolder()
    let part = file.filePath + ".part"
    unlink(part)
    let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw cannotCreate(file.filePath) }
    let bytes = Array(configuration.json.utf8)
    let isWritten =
      fchmod(descriptor, 0o600) == 0 && write(bytes, to: descriptor) && fsync(descriptor) == 0
    let reason = errno
    close(descriptor)
    errno = reason
    guard isWritten, rename(part, file.filePath) == 0 else {
      let failure = cannotCreate(file.filePath)
      unlink(part)
      throw failure
    }
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func makeFolder() throws(Failure) {
    let path = workspace.folder.filePath
    guard access(path, F_OK) != 0 else { return }
    do {
      try FileManager.default.createDirectory(
        at: workspace.folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(
        .cannotCreate, "cannot-create",
        "ferry cannot make the folder \(path): \(Failure.reason(of: error)). Nothing was written. Choose "
          + "another with --directory.")
    }
    chmod(path, 0o700)
  }

  private func cannotCreate(_ path: String) -> Failure {
    Failure(
      .cannotCreate, "cannot-create",
      "ferry cannot write \(path): \(String(cString: strerror(errno))). The earlier file is "
        + "unchanged. Make sure that the folder belongs to you and the disk is not full.")
  }
}

extension SyncConfigurationError {
  /// The fault, with the known key that a mistyped one may mean.
  var words: String {
    let nearest = unknownKey.flatMap {
      Suggestion.nearest(to: $0, among: SyncConfiguration.keys)
    }
    return fault + (nearest.map { "; the nearest known key is \($0.quoted)" } ?? "")
  }
}
