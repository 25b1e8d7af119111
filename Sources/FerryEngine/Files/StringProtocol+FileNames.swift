// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The names that Ferry gives to files of the folder; it removes no others.
extension StringProtocol {
  /// Whether it may be the name of a content: a note that something changed must not lead out of the folder.
  var isSHA256: Bool {
    utf8.count == 64 && utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  /// Whether the text names a note in `names`, finished or being written.
  var isNoteName: Bool { withoutEnding(".part").isSHA256 }

  /// Whether the text names a part, or the note of a part.
  var isPartName: Bool { partOfNote.isPart }

  /// The name of the part, without what its note has at the end.
  var partOfNote: SubSequence {
    let note = withoutEnding(".part")
    return note.hasSuffix(".note") ? note.dropLast(5) : self[...]
  }

  /// A second process at one file has a part with a number of its own.
  private var isPart: Bool {
    let (key, rest) = (prefix(64), dropFirst(64))
    return key.isSHA256
      && (rest.isEmpty || rest.first == "." && UUID(uuidString: String(rest.dropFirst())) != nil)
  }

  private func withoutEnding(_ ending: String) -> SubSequence {
    hasSuffix(ending) ? dropLast(ending.count) : self[...]
  }
}
