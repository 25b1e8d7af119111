// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import Foundation

/// The parts of a path to a class or a row.
struct AskedPlace {
  var className: String
  var objectID: String?

  init?(_ path: String, mountPath: String) {
    let start = mountPath + "/classes/"
    guard path.hasPrefix(start) else { return nil }
    let parts = path.dropFirst(start.count).split(separator: "/", omittingEmptySubsequences: false)
      .map { String($0).removingPercentEncoding ?? "" }
    guard (1...2).contains(parts.count), !parts.contains("") else { return nil }
    className = parts[0]
    objectID = parts.count == 2 ? parts[1] : nil
  }
}
