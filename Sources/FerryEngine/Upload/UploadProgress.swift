// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

/// How far a stage has come with its writes, class by class.
struct UploadProgress: Equatable {
  private(set) var total: [String: Int] = [:]
  private(set) var done: [String: Int] = [:]

  /// - Parameter keys: The records to be sent.
  init(of keys: some Sequence<RecordKey>) {
    for key in keys { total[key.className, default: 0] += 1 }
  }

  /// Counts writes that have been answered, and do not go again.
  mutating func advance(_ className: String, by count: Int) {
    done[className, default: 0] += count
  }
}
