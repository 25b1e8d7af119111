// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

extension SyncEnding {
  /// The meaning of a run's result for the time of the next one.
  init(_ result: Result<SyncReport, SyncError>, at now: Timestamp) {
    switch result {
    case .success(let report):
      self = .done(
        hasSent: report.classes.values.contains { $0.created + $0.put + $0.deleted > 0 },
        next: report.nextSync?.seconds(after: now))
    case .failure(let error):
      self =
        error.code == .cancelled
        ? .cancelled
        : error.code.needsPerson
          ? .needsPerson : .failed(asked: error.retryAfter.map { $0 / .seconds(1) })
    }
  }
}

extension Timestamp {
  /// How many seconds the moment is after another one; negative if it is before.
  func seconds(after other: Timestamp) -> Double {
    Double(milliseconds - other.milliseconds) / 1000
  }
}
