// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
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

extension WriteFailure {
  init(_ error: ParseError) {
    self.init(error.meaning, code: error.code?.rawValue, error.description, cause: error)
  }

  init(_ error: HTTPError) {
    switch error.outcome {
    case .notSent, .answered: self.init(.retryLater, error.message, cause: error)
    case .unknown: self.init(.outcomeUnknown(mayStillRun: true), error.message, cause: error)
    }
  }
}
