// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse

/// The contents of new files, as a run uses them.
///
/// A plan keeps none of the files that its own answers name.
struct OutgoingFiles: Sendable {
  /// The content of a new file; nil if it is not on this device.
  var content: @Sendable (UnsentFile) -> KeptFile?
  /// Notes that the content is that of a file of the server from now on.
  ///
  /// Whether it succeeds only decides whether the content must be fetched again.
  var keep: @Sendable (UnsentFile, File, ParseServer, Timestamp) -> Void

  /// The sum of the content of a file of the server; nil if it is not on this device.
  var sum: @Sendable (File, ParseServer) -> String? = { _, _ in nil }

  /// The contents in `unsent` that were kept before a time, by their sums.
  var contents: @Sendable (Timestamp) -> Set<String> = { _ in [] }
  /// Removes a content from `unsent` that was kept before a time.
  var remove: @Sendable (String, Timestamp) -> Void = { _, _ in }
  /// Lets a content of `unsent` count as kept at a time.
  var renew: @Sendable (String, Timestamp) -> Void = { _, _ in }

  /// The files of a sync.
  init(in folder: FileFolder) {
    self.init(readingIn: folder)
    keep = { folder.keep($0, as: $1, on: $2, at: $3) }
    contents = { folder.unsentContents(before: $0) }
    remove = { folder.removeUnsent($0, keptBefore: $1) }
    renew = { folder.renewUnsent($0, at: $1) }
  }

  /// The files of a plan.
  init(readingIn folder: FileFolder) {
    content = { folder.kept($0) }
    sum = { folder.kept(FileFolder.key(of: $0, on: $1))?.sha256 }
    keep = { _, _, _, _ in }
  }
}
