// Ferry: offline-first sync for Parse Server. MIT licence.

/// The access list with which Ferry creates a class's records, where the app gives none.
///
/// The list travels with the create, so a record is never open for a moment. It concerns new records alone.
///
/// ```swift
/// Entity("Note") {
///   Field("text", .text)
/// }
/// .access(.creator())
/// ```
public enum DefaultAccess: Sendable, Hashable {
  /// Ferry sends no list: the server decides, and Parse Server leaves such a record open to everyone.
  case server
  /// The user in whose name the create is sent may read and change the record, and so may the parties of a list.
  ///
  /// While nobody is logged in, a new row of the class waits. The next sync of a user sends it.
  case creator(AccessList = AccessList())
  /// Each record gets the same list.
  case list(AccessList)

  /// The list that the create of a record sends, in Parse's form; null to send none.
  ///
  /// - Parameters:
  ///   - record: The record; its own list goes before the default.
  ///   - userID: The user in whose name the create is sent; nil for nobody.
  /// - Returns: The list; nil if it needs a user, and there is none.
  package func acl(of record: Record, createdBy userID: String?) -> Value? {
    switch self {
    case _ where !record.acl.isNull: return record.acl
    case .server: return .null
    case .list(let list): return list.value
    case .creator(var list):
      guard let userID else { return nil }
      list[.user(userID)] = .readWrite
      return list.value
    }
  }

  /// Whether a record without a list of its own can only be created in the name of a user.
  package var needsUser: Bool {
    if case .creator = self { true } else { false }
  }

  /// Why a class cannot have this default; nil if it can.
  package var objection: String? {
    switch self {
    case .server: nil
    case .list(let list): list.objection
    case .creator(let list): list.rights.isEmpty ? nil : list.objection
    }
  }
}
