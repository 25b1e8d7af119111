// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

/// The writes of a stage whose outcome is open after they were sent.
struct UploadRemainder {
  /// The writes whose records this run looks up.
  var inDoubt: [WriteInDoubt] = []
  /// The creates that the server may have refused for their object ids.
  var refusedIDs = Set<RecordKey>()
  /// The classes of which only users who are logged in may create records.
  var classesNeedingLogin: Set<String> = []
}
