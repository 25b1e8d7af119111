// Ferry: offline-first sync for Parse Server. MIT licence.

/// How far a stage has come with its writes, class by class.
struct UploadProgress: Equatable {
  /// How many writes the stage has, as far as its beginning could tell.
  let total: [String: Int]
  private(set) var done: [String: Int] = [:]
  /// How many batches the last transaction began.
  var pace = 1

  init(of total: [String: Int] = [:]) { self.total = total }

  /// Counts writes that have been answered, and do not go again.
  mutating func advance(_ className: String, by count: Int) {
    done[className, default: 0] += count
  }
}
