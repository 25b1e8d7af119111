// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning

extension SyncEnding {
  /// The meaning of a run's result for the time of the next one.
  package init(_ result: Result<SyncReport, SyncError>, at now: Timestamp) {
    switch result {
    case .success(let report):
      self = .done(
        hasSent: report.classes.values.contains { $0.created + $0.put + $0.deleted > 0 },
        next: report.nextSync?.seconds(after: now), leftOut: report.leftOutClasses)
    case .failure(let error):
      switch error.code {
      case .cancelled: self = .cancelled
      case .busy: self = .busy
      case _ where error.code.needsPerson: self = .needsPerson
      default: self = .failed(asked: error.retryAfter.map { $0 / .seconds(1) })
      }
    }
  }
}

extension SyncReport {
  /// The classes at which the run failed.
  var leftOutClasses: Set<String> {
    Set(notices.filter(\.code.leavesClassOut).compactMap(\.className))
  }
}

extension Timestamp {
  /// How many seconds the moment is after another one; negative if it is before.
  func seconds(after other: Timestamp) -> Double {
    Double(milliseconds - other.milliseconds) / 1000
  }
}
