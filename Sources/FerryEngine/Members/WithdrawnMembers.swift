// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension BookkeepingKey where Content == Int64? {
  /// The position in history up to which each list has respected what the app took back.
  static func withdrawnMembers(of className: String) -> Self {
    Self(name: "members/\(className)/withdrawn", initial: nil)
  }
}

/// Knows the members that the app removed before any request had named them.
///
/// Folding drops such a removal, because the server seems not to have the pair. A copy of the store may have sent the
/// addition, though. So a list after the removal does not bring the pair back: the removal is sent. A list after that one
/// shows what others have added since.
struct WithdrawnMembers {
  private(set) var pairs = Set<MemberPair>()
  private let className: String
  private var respectedThrough: HistoryToken
  private var readThrough: HistoryToken

  /// Reads what no list has respected yet.
  init(of className: String, in reader: any SyncReader) throws(StoreError) {
    self.className = className
    respectedThrough = HistoryToken(
      rawValue: try reader.state(.withdrawnMembers(of: className)) ?? 0)
    readThrough = respectedThrough
    try read(in: reader)
  }

  /// Reads what the app has removed since the last look.
  mutating func read(in reader: any SyncReader) throws(StoreError) {
    let last = try reader.lastToken()
    guard last > readThrough else { return }
    let first = max(readThrough, try reader.historyExtent().prunedThrough)
    readThrough = last
    guard try reader.editedClasses(after: first).contains(className) else { return }
    var new: [MemberPair] = []
    try reader.forEachLogged(after: first, withValues: true) { logged in
      if logged.change.author == .app, logged.change.className == className,
        let pair = logged.withdrawnPair
      {
        new.append(pair)
      }
      return true
    }
    let present = try reader.aliases(
      of: new.flatMap { [$0.owner, $0.member] }.filter(MintedID.matches))
    for pair in new {
      pairs.insert(
        MemberPair(
          owner: present[pair.owner] ?? pair.owner, member: present[pair.member] ?? pair.member))
    }
  }

  /// Whether the store should learn that all owners were listed.
  var isOutdated: Bool {
    !pairs.isEmpty || readThrough.rawValue - respectedThrough.rawValue > Self.mostUnread
  }

  /// How much of history a sync looks through again.
  private static let mostUnread = 1000

  /// Notes that all owners were listed, or have not changed.
  mutating func noteRespected(in transaction: any SyncTransaction) throws(StoreError) {
    try transaction.change(.withdrawnMembers(of: className)) { $0 = readThrough.rawValue }
    respectedThrough = readThrough
    pairs = []
  }
}

extension LoggedChange {
  /// The pair of a row that went before the server had it.
  fileprivate var withdrawnPair: MemberPair? {
    guard case .delete(let old)? = destroyed, old.createdAt == nil else { return nil }
    return MemberPair(old.fields)
  }
}
