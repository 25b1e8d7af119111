// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Finds the ranges of a class in which the rows here differ from those on the server: answers in,
/// next question out.
///
/// Stretches are of `createdAt`, which never changes and means the same on every database, and
/// half-open. While counting, only those whose counts differ are divided further, so d deletions
/// among n rows cost in the order of d · log n counts; a full scan lists every range.
package struct RangeComparison: Equatable {
  package typealias TimeRange = Range<Timestamp>

  package enum Method: Equatable {
    case counting
    case fullScan
  }

  package enum Action: Equatable {
    /// Count the rows here between neighbouring boundaries.
    case countLocal([Timestamp])
    /// Count the records on the server, range by range.
    case countRemote([TimeRange])
    /// List the records on the server and compare them with the rows here, in the order of time.
    case list([Bucket])
    case done
  }

  /// A range small enough to be listed.
  package struct Bucket: Equatable {
    package var range: TimeRange
    /// How many rows are here in it.
    package var local: Int
    /// What the server counted in it; nil where it was not asked.
    package var remote: Int?
  }

  /// A range and the number of rows here in it.
  package struct Counted: Equatable {
    package var range: TimeRange
    package var local: Int

    package init(range: TimeRange, local: Int) {
      self.range = range
      self.local = local
    }
  }

  /// Below about so many rows listing is cheaper than counting on.
  package static let bucketSize = 500
  /// A full scan lists ranges of about so many rows, so that its memory does not grow with the class.
  package static let fullScanBucketSize = 5_000
  /// Into about so many parts a range is divided: as many as one batch of counts holds.
  package static let parts = 32

  package let method: Method
  /// The number of rows up to which a range is listed as a whole.
  private let listedSize: Int
  /// Stretches to be divided, in order.
  private var open: [Counted] = []
  /// Each of them in pieces that are still being refined.
  package var subranges: [[Counted]] = []
  /// What the answer to the last question is about.
  private var asked: [Counted] = []
  private var buckets: [Bucket] = []

  /// Begins with the whole class, in one range or a few.
  ///
  /// - Parameters:
  ///   - ranges: The rows here, in the order of time.
  ///   - remote: The numbers of records the server counts in them; nil for a full scan, which does not ask.
  ///   - listedSize: Up to how many rows a full scan lists a range as a whole.
  package init(_ ranges: [Counted], remote: [Int]?, listedSize: Int = fullScanBucketSize) {
    method = remote == nil ? .fullScan : .counting
    self.listedSize = remote == nil ? listedSize : Self.bucketSize
    guard let remote else {
      for range in ranges { place(range, remote: nil) }
      return
    }
    asked = ranges
    take(remote: remote)
  }

  /// What to do next; ask again once the answer was taken.
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
    // Small ranges were set aside before larger ones were divided, so they are in no order yet.
    return .list(buckets.sorted { $0.range.lowerBound < $1.range.lowerBound })
  }

  /// Takes the server's counts of the ranges asked for.
  package mutating func take(remote counts: [Int]) {
    for (part, remote) in zip(asked, counts) where part.local != remote {
      place(part, remote: remote)
    }
    asked = []
  }

  /// How many rows a part should have.
  package func target(for local: Int) -> Int {
    switch method {
    case .counting: max(Self.bucketSize, (local + Self.parts - 1) / Self.parts)
    case .fullScan: listedSize
    }
  }

  /// A range that differs is listed where that is cheap on either side, and else divided.
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
