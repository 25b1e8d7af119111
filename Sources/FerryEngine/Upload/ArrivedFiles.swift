// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The files that a stage has sent, by the new ones.
///
/// The store remembers the last ones only. Within a stage, equal bytes of one name are sent once, however many others lie
/// between.
final class ArrivedFiles {
  private var files: [File: File] = [:]

  /// The server's file for a new one; nil if this stage has not sent it.
  subscript(new: File) -> File? {
    get { files[new] }
    set { files[new] = newValue }
  }
}
