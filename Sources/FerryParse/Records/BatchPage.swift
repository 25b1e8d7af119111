// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A page whose plain records are rows of a batch.
package struct BatchPage {
  package var batch: RowBatch
  /// The records that the batch leaves out: those with a client key, and those that are marked as deleted.
  package var records: [ServerRecord] = []
  /// The rows that cannot be imported.
  package var failures: [RecordFailure] = []
  /// The number of rows of the page, valid or not.
  package var rowCount = 0

  init(_ batch: RowBatch) { self.batch = batch }

  /// A page of which nothing is in a batch.
  init(_ page: ParsePage, _ batch: RowBatch) {
    self.batch = batch
    records = page.records
    failures = page.failures
    rowCount = page.rowCount
  }
}
