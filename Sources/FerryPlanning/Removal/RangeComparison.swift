// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Finds the ranges of a class in which local rows and the server's records differ.
///
/// It takes answers and returns the next step. Ranges are half-open ranges of `createdAt`, which
/// never changes and means the same on every database. When counting, it divides only ranges whose
/// counts differ. So d deletions among n rows cost about d · log n counts; a full scan lists every
/// range.
package struct RangeComparison: Equatable {
  package typealias TimeRange = Range<Timestamp>

  package enum Method: Equatable {
    case counting
    case fullScan
  }

  package enum Action: Equatable {
    /// Count the local rows between neighbouring boundaries.
    case countLocal([Timestamp])
    /// Count the records on the server, range by range.
    case countRemote([TimeRange])
    /// List the records on the server and compare them with the local rows, in the order of time.
    case list([Bucket])
    case done
  }

  /// A range small enough to be listed.
  package struct Bucket: Equatable {
    package var range: TimeRange
    /// The number of local rows in it.
    package var local: Int
    /// The server's count; nil if it was not requested.
    package var remote: Int?
  }

  /// A range and its number of local rows.
  package struct Counted: Equatable {
    package var range: TimeRange
    package var local: Int

    package init(range: TimeRange, local: Int) {
      self.range = range
      self.local = local
    }
  }

  /// Below about this number of rows, listing is cheaper than further counting.
  package static let bucketSize = 500
  /// A full scan lists ranges of about this number of rows, so that its memory does not grow with
  /// the class.
  package static let fullScanBucketSize = 5_000
  /// A range of up to this number of rows is asked about as a whole, where the server says which ids are gone.
  ///
  /// These are five requests of 1,000 ids, which go out at once. A larger range is divided by one batch of counts.
  package static let askedSize = 5_000
  /// The number of parts into which a range is divided: as many as one batch of counts holds.
  package static let parts = 32

  package let method: Method
  /// The number of rows up to which a range is listed as a whole.
  private let listedSize: Int
  /// Ranges to divide, in order.
  private var open: [Counted] = []
  /// Each of them as subranges that are still being refined.
  package var subranges: [[Counted]] = []
  /// The ranges of the last query.
  private var asked: [Counted] = []
  private var buckets: [Bucket] = []

  /// Begins with the whole class, in one range or a few.
  /// - Parameters:
  ///   - ranges: The local rows, in the order of time.
  ///   - remote: The server's counts of the ranges; nil for a full scan, which requests none.
  ///   - listedSize: The number of rows up to which a range is listed as a whole; nil for that of the method.
  package init(_ ranges: [Counted], remote: [Int]?, listedSize: Int? = nil) {
    method = remote == nil ? .fullScan : .counting
    self.listedSize = listedSize ?? (remote == nil ? Self.fullScanBucketSize : Self.bucketSize)
    guard let remote else {
      for range in ranges { place(range, remote: nil) }
      return
    }
    asked = ranges
    take(remote: remote)
  }

  /// The next step; call this again after taking the answer.
  package mutating func next() -> Action {
    if subranges.isEmpty, !open.isEmpty { subranges = open.map { [$0] } }
    if !subranges.isEmpty {
      let boundaries = boundariesToRefine()
      if !boundaries.isEmpty { return .countLocal(boundaries) }
      asked = divided()
      open = []
      subranges = []
      if method == .counting { return .countRemote(asked.map(\.range)) }
      buckets += asked.map { Bucket(range: $0.range, local: $0.local, remote: nil) }
    }
    guard !buckets.isEmpty else { return .done }
    defer { buckets = [] }
    // Small ranges were set aside before larger ones were divided, so they are not sorted yet.
    return .list(buckets.sorted { $0.range.lowerBound < $1.range.lowerBound })
  }

  /// Takes the server's counts of the requested ranges.
  package mutating func take(remote counts: [Int]) {
    for (part, remote) in zip(asked, counts) where part.local != remote {
      place(part, remote: remote)
    }
    asked = []
  }

  /// The target number of rows of a part.
  package func target(for local: Int) -> Int {
    switch method {
    case .counting: max(listedSize, (local + Self.parts - 1) / Self.parts)
    case .fullScan: listedSize
    }
  }

  /// Lists a range that differs if that is cheap on either side; otherwise divides it.
  private mutating func place(_ part: Counted, remote: Int?) {
    let isSmall = min(part.local, remote ?? part.local) <= listedSize
    if isSmall || part.range.milliseconds <= 1 {
      buckets.append(Bucket(range: part.range, local: part.local, remote: remote))
    } else {
      open.append(part)
    }
  }
}

extension Range<Timestamp> {
  package var milliseconds: Int64 { upperBound.milliseconds - lowerBound.milliseconds }
}
