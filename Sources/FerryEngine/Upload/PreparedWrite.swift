// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse
import FerryPlanning

/// One write that is ready to be sent: the operation, and the record of its attempt.
struct PreparedWrite {
  var key: RecordKey
  /// The record's object id at that time; a minted id for a create.
  var objectID: String
  var operation: WriteOperation
  var attempt: Attempt
  /// Why fields of the change cannot be sent, and which; the others go without them.
  var unsendable = UnsendableFields()

  /// The id that a create requests.
  var chosenID: String? {
    if case .create = operation { operation.objectID } else { nil }
  }
}
