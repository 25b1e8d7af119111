// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// A file that an app of a story gives to a field: `new file "cup.png" "gold"`.
struct NewStoryFile: Sendable, Hashable {
  let name: String
  let content: String
  /// The value of the field until the file is sent.
  let value: File

  /// Nil for a name that no server takes, and for an empty content.
  init?(name: String, content: String) {
    guard
      let unsent = UnsentFile(
        sha256: SHA256.text(of: content), bytes: content.utf8.count,
        type: MediaType.ofFile(named: name), name: name)
    else { return nil }
    (self.name, self.content, value) = (name, content, File(unsent))
  }

  /// How a story writes the value of a field that has a new file; nil for a file of the server.
  ///
  /// The beginning of the sum tells contents apart.
  static func text(of file: File) -> String? {
    file.unsent.map { "new file " + StoryValue.quoted($0.name) + " \($0.sha256.prefix(8))" }
  }
}

extension File {
  /// The name without the digits that the server put before it.
  var nameByApp: String {
    let digits = name.prefix { $0.isHexDigit }
    guard digits.utf8.count == 32, name.dropFirst(32).first == "_" else { return name }
    return String(name.dropFirst(33))
  }
}
