// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// A record as every command names it: class, local id, and object id where the server has it.
struct RecordName: Sendable {
  var className: String
  var localID: LocalID?
  var objectID: String?

  var text: String {
    [className, localID.map { "#\($0)" }, objectID].compactMap(\.self).joined(separator: " ")
  }
}
