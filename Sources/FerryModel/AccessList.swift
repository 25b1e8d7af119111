// Ferry: offline-first sync for Parse Server. MIT licence.

/// Who may read and who may change a record, apart from the rules of its class.
///
/// Parse Server calls it the access control list of a record. Nobody but the master key passes a list that does not name
/// them. A record without a list is open to everyone.
///
/// ```swift
/// var access: AccessList = [.user("k7Xb2mQ9Lp"): .readWrite, .role("Editors"): .readWrite]
/// access[.everyone] = .read
/// ```
///
/// In SQL and in JSON it has Parse's own form:
/// `{"k7Xb2mQ9Lp":{"read":true,"write":true},"role:Editors":{"read":true,"write":true},"*":{"read":true}}`.
public struct AccessList: Sendable, Hashable {
  /// Those to whom a list gives rights.
  public enum Party: Sendable, Hashable {
    /// Every client, also without a login.
    case everyone
    /// The user with this object id.
    case user(String)
    /// The users of the role with this name, and of the roles below it.
    case role(String)
  }

  /// The rights that a list gives a party.
  public struct Rights: OptionSet, Sendable, Hashable {
    /// The bits of the rights.
    public var rawValue: UInt8
    /// Rights by their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The party may read the record.
    public static let read = Rights(rawValue: 1)
    /// The party may change and delete the record.
    public static let write = Rights(rawValue: 2)
    /// Both.
    public static let readWrite: Rights = [.read, .write]
  }

  /// The rights of each party; a party that is missing has none.
  public private(set) var rights: [Party: Rights]

  /// A list of parties and their rights.
  public init(_ rights: [Party: Rights] = [:]) { self.rights = rights.filter { !$1.isEmpty } }

  /// Everyone may read and change the record, as one without a list.
  public static let open: AccessList = [.everyone: .readWrite]
  /// Everyone may read the record.
  public static let publicRead: AccessList = [.everyone: .read]

  /// The rights of a party by its own entry; empty without one.
  ///
  /// A user also has the rights of everyone, and of each role that has the user.
  public subscript(party: Party) -> Rights {
    get { rights[party] ?? [] }
    set { rights[party] = newValue.isEmpty ? nil : newValue }
  }
}

extension AccessList: ExpressibleByDictionaryLiteral {
  /// A list of parties and their rights; the last entry of a party counts.
  public init(dictionaryLiteral entries: (Party, Rights)...) {
    self.init(Dictionary(entries, uniquingKeysWith: { $1 }))
  }
}

// The form of Parse Server.
extension AccessList {
  /// Reads a record's list, as `Record.acl` has it; nil for a record without a list, and for a value that is no list.
  ///
  /// A record that the server has without a list is open to everyone. A new row without one gets the default of its class
  /// with its create.
  ///
  /// - Parameter value: An object of objects, as Parse writes a list.
  public init?(_ value: FerryModel.Value) {
    guard case .object(let entries) = value else { return nil }
    var rights: [Party: Rights] = [:]
    for (key, entry) in entries {
      guard let party = Party(key: key), let allowed = Rights(entry) else { return nil }
      if !allowed.isEmpty { rights[party] = allowed }
    }
    self.rights = rights
  }

  /// The list in Parse's form.
  public var value: FerryModel.Value {
    .object(
      Dictionary(
        rights.map { ($0.key, $1.value) }, uniquingKeysWith: { first, _ in first }))
  }

  /// Whether a user may not read a record with this list, as far as anybody knows who the members of roles are.
  package func hides(from userID: String) -> Bool {
    !rights.contains { party, rights in
      guard rights.contains(.read) else { return false }
      switch party {
      case .everyone, .role: return true
      case .user(let id): return id == userID
      }
    }
  }

  /// Why a record cannot have this list; nil if it can.
  package var objection: String? {
    if rights.isEmpty {
      return "The access list names nobody, so that no client could read the record again."
    }
    guard let nameless = rights.keys.first(where: { Party(key: $0.key) != $0 }) else { return nil }
    return
      "The access list has the key \(nameless.key.debugDescription), which names no user and no role."
  }
}

extension AccessList.Party {
  private static let rolePrefix = "role:"

  /// A party by its key in Parse's form; nil for a key that names none.
  fileprivate init?(key: String) {
    if key == "*" {
      self = .everyone
    } else if key.hasPrefix(Self.rolePrefix) {
      let name = key.dropFirst(Self.rolePrefix.count)
      guard !name.isEmpty else { return nil }
      self = .role(String(name))
    } else {
      guard !key.isEmpty else { return nil }
      self = .user(key)
    }
  }

  fileprivate var key: String {
    switch self {
    case .everyone: "*"
    case .user(let id): id
    case .role(let name): Self.rolePrefix + name
    }
  }
}

extension AccessList.Rights {
  /// Reads `{"read":true,"write":true}`; nil for anything else.
  fileprivate init?(_ value: Value) {
    guard case .object(let members) = value else { return nil }
    self = []
    for (name, member) in members {
      guard case .boolean(let isAllowed) = member else { return nil }
      switch name {
      case "read": if isAllowed { insert(.read) }
      case "write": if isAllowed { insert(.write) }
      default: return nil
      }
    }
  }

  fileprivate var value: Value {
    var members: [String: Value] = [:]
    if contains(.read) { members["read"] = true }
    if contains(.write) { members["write"] = true }
    return .object(members)
  }
}
