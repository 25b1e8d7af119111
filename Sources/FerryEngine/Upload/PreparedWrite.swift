// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse
import FerryPlanning

/// One write that is ready to be sent: the operation, and the record of its attempt.
struct PreparedWrite {
  var operation: WriteOperation
  var sent: SentWrite
}
