// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning

extension Acknowledgement {
  /// - Parameters:
  ///   - response: The server's response.
  ///   - now: The creation time where the server's cannot be read.
  init(_ response: WriteAnswer, now: Timestamp) {
    switch response {
    case .created(let created):
      self.init(
        creation: Creation(
          objectID: created.objectID, time: Timestamp(created.createdAt) ?? now),
        version: ServerVersion(rawValue: created.createdAt), changes: created.changes)
    case .updated(let updated):
      self.init(
        version: ServerVersion(rawValue: updated.updatedAt), changes: updated.changes)
    case .deleted: self.init()
    }
  }
}
