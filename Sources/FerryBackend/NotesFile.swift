// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The file of the notes; only its owner may read it, since queries may name what a person looked for.
struct NotesFile: Sendable {
  let url: URL

  /// The notes; nil if there are none, or none that can be read.
  func load() -> ResultNotes? {
    guard let data = try? Data(contentsOf: url) else { return nil }
    return try? JSONDecoder().decode(ResultNotes.self, from: data)
  }

  /// Replaces the file as a whole.
  ///
  /// Without it, queries are asked anew after a start, so a failure harms no answer.
  func save(_ notes: ResultNotes) {
    guard let data = try? JSONEncoder().encode(notes) else { return }
    let path = url.path(percentEncoded: false)
    let next = path + ".new"
    let files = FileManager.default
    guard
      files.createFile(
        atPath: next, contents: data, attributes: [.posixPermissions: 0o600])
    else { return }
    if rename(next, path) != 0 { try? files.removeItem(atPath: next) }
  }
}
