// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Batches of creates that one transaction has begun, and that have not left yet.
///
/// A transaction that the disk confirms takes longer than a batch on a quick server. So one begins as many batches
/// as are likely to leave within a quarter of a second, by the pace of those before.
struct BegunBatches {
  /// How many batches one transaction begins at most, beyond the first ones of the lanes.
  private static let most = 20
  /// How long the last of them should wait, in milliseconds.
  private static let wantedWait: Int64 = 250
  /// How long one may wait: a create is watched for from its beginning, not from its leaving.
  private static let longestWait: Int64 = 1000

  private var waiting: ArraySlice<[PreparedWrite]> = []
  private var begunAt: Timestamp?
  /// How many have left since `begunAt`.
  private var left = 0
  /// How many a transaction begins by the pace so far.
  private(set) var pace: Int

  /// - Parameter pace: How many the first transaction begins.
  init(pace: Int) { self.pace = pace }

  var isEmpty: Bool { waiting.isEmpty }

  /// Whether the batches have waited so long that they must not leave as they are.
  func areStale(at now: Timestamp) -> Bool {
    guard !isEmpty, let begunAt else { return false }
    return !(0...Self.longestWait).contains(now.milliseconds - begunAt.milliseconds)
  }

  /// How many batches a transaction should begin now; one for each answer if none may be begun ahead.
  mutating func next(at now: Timestamp, ahead: Bool) -> Int {
    guard let begunAt else { return pace }
    guard ahead else { return 1 }
    let time = now.milliseconds - begunAt.milliseconds
    let fitting = time == 0 ? Self.most : Int(max(Int64(left) * Self.wantedWait / time, 1))
    pace = min(fitting, 2 * pace, Self.most)
    return pace
  }

  mutating func add(_ batches: [[PreparedWrite]], at now: Timestamp) {
    guard !batches.isEmpty else { return }
    waiting += batches
    begunAt = now
    left = 0
  }

  /// The next batch to leave.
  mutating func takeFirst() -> [PreparedWrite]? {
    guard let first = waiting.popFirst() else { return nil }
    left += 1
    return first
  }

  /// All that shall not leave.
  mutating func takeAll() -> [PreparedWrite] {
    defer { waiting = [] }
    return waiting.flatMap(\.self)
  }
}
