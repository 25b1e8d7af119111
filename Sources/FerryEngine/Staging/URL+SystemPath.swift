// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

extension URL {
  /// The path in the form of system calls, which follow a link with a slash at its end.
  var systemPath: String {
    let path = path(percentEncoded: false)
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
