// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// A file that holds one secret.
struct KeyFile {
  var file: URL
  private let words: String
  private let remedy: String
  /// Whether white space at the ends belongs to the secret.
  private let isVerbatim: Bool

  /// A path as `ferry.json` has it: relative ones start at its folder.
  init(_ role: SyncConfiguration.KeyRole, path: String, in folder: URL) {
    file = URL(filePath: path, relativeTo: folder).absoluteURL.standardized
    words = role.words
    remedy = "Put the key there on a single line, or correct \"\(role.rawValue)\"."
    isVerbatim = false
  }

  /// A file that `--password-file` names; a relative path starts at the current folder.
  init(ofPassword path: String) {
    file = URL(filePath: path).absoluteURL.standardized
    words = "password"
    remedy = "Put the password there on a single line, or name another with --password-file."
    isVerbatim = true
  }

  /// Reads the secret; do not show it.
  func text() throws(Failure) -> String {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: file)
    } catch {
      throw unusable("cannot be read: \(Failure.reason(of: error))")
    }
    guard bytes.count <= Self.mostBytes, let text = String(validating: bytes, as: UTF8.self) else {
      throw unusable("does not hold a key: it is too long or not text")
    }
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    guard let line = lines.first else { throw unusable("is empty") }
    guard lines.count == 1 else { throw unusable("has more than one line") }
    return isVerbatim ? String(line) : line.trimmingCharacters(in: .whitespaces)
  }

  /// The fault of the file's permissions; nil when only its owner may read it.
  var warning: String? {
    var status = stat()
    guard stat(file.filePath, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
    return "Other users of this machine can read the \(words) in \(file.filePath). "
      + "To close it: chmod 600 \(file.filePath)"
  }

  private static let mostBytes = 16 << 10

  private func unusable(_ fault: String) -> Failure {
    Failure(
      .configuration, "key-file",
      "The file of the \(words), \(file.filePath), \(fault). Nothing was sent. \(remedy)")
  }
}

extension SyncConfiguration.KeyRole {
  fileprivate var words: String {
    switch self {
    case .restKey: "REST key"
    case .masterKey: "master key"
    case .sessionToken: "session token"
    }
  }
}
