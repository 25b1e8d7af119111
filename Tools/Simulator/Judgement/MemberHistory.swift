// Ferry: offline-first sync for Parse Server. MIT licence.

/// The changes of relations by apps and the other client, by the names of the rows.
struct MemberHistory {
  /// A member and its owner.
  struct Pair: Hashable, Comparable {
    var owner: String
    var member: String

    static func < (left: Pair, right: Pair) -> Bool {
      (left.owner, left.member) < (right.owner, right.member)
    }
  }

  /// The last change of each pair.
  private var last: [Pair: (adds: Bool, isDecisive: Bool)] = [:]

  /// A change was made.
  ///
  /// - Parameters:
  ///   - edit: The change.
  ///   - isDecisive: Whether the writer knew of all changes of that pair, and none was under way.
  mutating func made(_ edit: MemberEdit, isDecisive: Bool) {
    last[Pair(owner: edit.owner, member: edit.member)] = (edit.adds, isDecisive)
  }

  /// In the end, the server has the pair whose last change added it, and does not have the one whose last change removed it.
  ///
  /// - Parameters:
  ///   - server: The pairs on the server.
  ///   - isJudged: Whether both rows were there all the time.
  /// - Throws: `Violation` for the first pair of which that does not hold.
  func check(server: Set<Pair>, isJudged: (Pair) -> Bool) throws(Violation) {
    for (pair, change) in last.sorted(by: { $0.key < $1.key })
    where change.isDecisive && isJudged(pair) && server.contains(pair) != change.adds {
      throw Violation(
        change.adds ? .lostWrite : .resurrection,
        change.adds
          ? "\(pair.member) was added to \(pair.owner), and the server does not have it"
          : "\(pair.member) was removed from \(pair.owner), and the server has it")
    }
  }

  /// In the end, a device has the server's pairs of the rows that it has.
  ///
  /// - Parameters:
  ///   - device: The letter of the device.
  ///   - pairs: Its rows of pairs.
  ///   - server: The pairs on the server.
  ///   - isJudged: Whether the device has both rows, and the server has their records.
  /// - Throws: `Violation` for the first pair of which that does not hold.
  func check(
    _ device: String, _ pairs: [Pair], server: Set<Pair>, isJudged: (Pair) -> Bool
  ) throws(Violation) {
    let here = Set(pairs.filter(isJudged))
    let there = server.filter(isJudged)
    if let pair = here.subtracting(there).min() {
      throw Violation(
        .divergence,
        "\(device) has \(pair.member) as a member of \(pair.owner), and the server does not")
    }
    if let pair = there.subtracting(here).min() {
      throw Violation(
        .divergence,
        "\(device) lacks \(pair.member) as a member of \(pair.owner), which the server has")
    }
    guard here.count == pairs.count(where: isJudged) else {
      throw Violation(.duplicate, "\(device) has two rows of one member")
    }
  }
}
