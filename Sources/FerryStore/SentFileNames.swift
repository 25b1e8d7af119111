// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The part of the engine's note of sent files that says which names the server gave to new files.
///
/// A sync that only puts such a name into a field changes nothing for the app, like one that only renames a pointer. The
/// engine alone knows the rest of the note, and writes it. It remembers the files that were sent last.
package struct SentFileNames: Sendable, Equatable {
  /// The key of the note.
  package static let key = "files"

  /// The server's names, by those of the new files; a file may have been sent to several servers.
  private var names: [String: Set<String>] = [:]

  package init() {}

  /// Nothing for a note that cannot be read, which the engine reports.
  init(_ text: String?) {
    guard let text, case .object(let members) = Value(wireJSON: text),
      case .array(let files)? = members["sent"]
    else { return }
    for case .object(let file) in files {
      guard case .string(let new)? = file["unsent"], case .string(let name)? = file["name"] else {
        continue
      }
      names[new, default: []].insert(name)
    }
  }

  /// Whether one value is a new file, and the other the server's name of it.
  func isNamed(_ new: Value?, by present: Value?) -> Bool {
    guard case .file(let new)? = new, case .file(let present)? = present else { return false }
    return names[new.name]?.contains(present.name) ?? false
  }
}

extension SyncReader {
  /// The names of the sent files; none without a look where no value is a new file.
  func sentFileNames(forAnyIn fields: some Sequence<Fields>) throws(StoreError) -> SentFileNames {
    let isWanted = fields.contains { $0.values.values.contains(where: \.isNewFile) }
    return isWanted ? SentFileNames(try bookkeeping(SentFileNames.key)) : SentFileNames()
  }
}

extension Value {
  /// Whether it names a new file, as the app gave it: a sync may have sent that since.
  fileprivate var isNewFile: Bool {
    if case .file(let file) = self { file.isUnsent } else { false }
  }
}
