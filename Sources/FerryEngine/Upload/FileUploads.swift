// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Sends new files, and puts the server's names into the fields of their records.
///
/// A record is sent afterwards, like any other. The store knows of each request before its first byte leaves. The name in the
/// answer goes into the rows in one transaction with the note of the answer. So a process that ends between any two steps
/// leaves a row that names either the new file or the server's, and a file of the server that no record names at most.
struct FileUploads {
  private let context: StageContext
  private let stage: StageName
  private let arrived = ArrivedFiles()

  init(_ stage: StageName, in context: StageContext) {
    self.context = context
    self.stage = stage
  }

  /// Sends files, several at a time, each once.
  ///
  /// - Parameter files: The new files, by record and field.
  /// - Returns: The records whose files have all arrived. Each other one is parked, or its failure is counted.
  /// - Throws: The error that ends the run; the store has noted what was sent until then.
  func send(_ files: [RecordKey: [String: File]]) throws(SyncError) -> [RecordKey] {
    var run = FileUploadRun(stage, files, after: arrived, in: context)
    return try run.sendAll()
  }
}
