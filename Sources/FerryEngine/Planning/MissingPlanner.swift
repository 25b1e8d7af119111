// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Finds the stretches of a class in which the rows here differ from those on the server: answers in,
/// next question out.
///
/// Stretches are of `createdAt`, which never changes and means the same on every database, and
/// half-open. While counting, only those whose counts differ are divided further, so d deletions
/// among n rows cost in the order of d · log n counts; a sweep lists every stretch.
struct MissingPlanner: Equatable {
  typealias Span = Range<Timestamp>

  enum Method: Equatable {
    case counting
    case sweep
  }

  enum Step: Equatable {
    /// Count the rows here between neighbouring boundaries.
    case countHere([Timestamp])
    /// Count the records on the server, stretch by stretch.
    case countThere([Span])
    /// List the records on the server and compare them with the rows here, in the order of time.
    case list([Leaf])
    case done
  }

  /// A stretch small enough to be listed.
  struct Leaf: Equatable {
    var span: Span
    /// How many rows are here in it.
    var here: Int
    /// What the server counted in it; nil where it was not asked.
    var there: Int?
  }

  /// A stretch and the number of rows here in it.
  struct Counted: Equatable {
    var span: Span
    var here: Int
  }

  /// Below about so many rows listing is cheaper than counting on.
  static let leafSize = 500
  /// A sweep lists stretches of about so many rows, so that its memory does not grow with the class.
  static let sweepLeafSize = 5_000
  /// Into about so many parts a stretch is divided: as many as one batch of counts holds.
  static let parts = 32

  let method: Method
  /// The number of rows up to which a stretch is listed as a whole.
  private let listedSize: Int
  /// Stretches to be divided, in order.
  private var open: [Counted] = []
  /// Each of them in pieces that are still being refined.
  var pieces: [[Counted]] = []
  /// What the answer to the last question is about.
  private var asked: [Counted] = []
  private var leaves: [Leaf] = []

  /// Begins with the whole class, in one stretch or a few.
  ///
  /// - Parameters:
  ///   - stretches: The rows here, in the order of time.
  ///   - there: The numbers of records the server counts in them; nil for a sweep, which does not ask.
  ///   - listedSize: Up to how many rows a sweep lists a stretch as a whole.
  init(_ stretches: [Counted], there: [Int]?, listedSize: Int = sweepLeafSize) {
    method = there == nil ? .sweep : .counting
    self.listedSize = there == nil ? listedSize : Self.leafSize
    guard let there else {
      for stretch in stretches { place(stretch, there: nil) }
      return
    }
    asked = stretches
    take(there: there)
  }

  /// What to do next; ask again once the answer was taken.
  mutating func next() -> Step {
    if pieces.isEmpty, !open.isEmpty { pieces = open.map { [$0] } }
    if !pieces.isEmpty {
      let boundaries = boundariesToRefine()
      if !boundaries.isEmpty { return .countHere(boundaries) }
      asked = divided()
      open = []
      pieces = []
      if method == .counting { return .countThere(asked.map(\.span)) }
      leaves += asked.map { Leaf(span: $0.span, here: $0.here, there: nil) }
    }
    guard !leaves.isEmpty else { return .done }
    defer { leaves = [] }
    // Small stretches were set aside before larger ones were divided, so they are in no order yet.
    return .list(leaves.sorted { $0.span.lowerBound < $1.span.lowerBound })
  }

  /// Takes the server's counts of the stretches asked for.
  mutating func take(there counts: [Int]) {
    for (part, there) in zip(asked, counts) where part.here != there {
      place(part, there: there)
    }
    asked = []
  }

  /// How many rows a part should have.
  func target(for here: Int) -> Int {
    switch method {
    case .counting: max(Self.leafSize, (here + Self.parts - 1) / Self.parts)
    case .sweep: listedSize
    }
  }

  /// A stretch that differs is listed where that is cheap on either side, and else divided.
  private mutating func place(_ part: Counted, there: Int?) {
    let isSmall = min(part.here, there ?? part.here) <= listedSize
    if isSmall || part.span.milliseconds <= 1 {
      leaves.append(Leaf(span: part.span, here: part.here, there: there))
    } else {
      open.append(part)
    }
  }
}

extension Range<Timestamp> {
  var milliseconds: Int64 { upperBound.milliseconds - lowerBound.milliseconds }
}
