// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A file of code that the tool makes, and makes again.
struct GeneratedFile {
  var path: String
  /// The first line by which the tool knows its own files.
  var firstLine: String

  private var url: URL { URL(filePath: path).absoluteURL.standardized }

  /// Writes the file whole or not at all.
  ///
  /// - Returns: Whether the file had another content; an equal one stays untouched, so that nothing is built
  ///   anew.
  /// - Throws: The failure of the command, if the file is not one of the tool's or cannot be written.
  func write(_ text: String) throws(Failure) -> Bool {
    if access(url.filePath, F_OK) == 0 {
      let known: Data
      do {
        known = try Data(contentsOf: url)
      } catch {
        throw cannotCreate(error)
      }
      if known == Data(text.utf8) { return false }
      guard known.isEmpty || known.starts(with: Data((firstLine + "\n").utf8)) else {
        throw Failure(
          .cannotCreate, "exists",
          "\(url.filePath) exists already, and \"ferry generate\" did not make it. Nothing was changed. Move "
            + "the file away, or name another with --out.")
      }
    }
    do {
      try Data(text.utf8).write(to: url, options: .atomic)
    } catch {
      throw cannotCreate(error)
    }
    return true
  }

  private func cannotCreate(_ error: any Error) -> Failure {
    Failure(
      .cannotCreate, "cannot-create",
      "ferry cannot write \(url.filePath): \(Failure.reason(of: error)). An earlier file is unchanged. Make sure "
        + "that its folder exists and belongs to you, and that the disk is not full.")
  }
}
