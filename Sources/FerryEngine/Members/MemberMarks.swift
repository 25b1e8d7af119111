// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension BookkeepingKey where Content == [String: String] {
  /// The state of owners when their members were listed last, by object id: a part of all owners.
  static func memberMarks(of className: String, part: Int) -> Self {
    Self(name: "members/\(className)/\(part)", initial: [:])
  }
}

/// Knows which owners' members were listed, and at which version.
///
/// A mark is the owner's version and the user. It is early if the server may still have been writing pairs: the server
/// stamps an owner before it writes them. Owners with an early mark are listed again. A mark also names the members that the
/// user could not read: the owner is listed again once the store has one of them.
struct MemberMarks {
  /// How many notes hold the marks of a relation, so that one listing does not rewrite those of all owners.
  static let parts = 64

  private let className: String
  private let userID: String?
  private var marks: [[String: String]]
  /// The parts that the store does not have yet.
  private var changed = Set<Int>()
  /// The members that the app took back since all owners were listed.
  var withdrawn: WithdrawnMembers

  /// Reads all marks of a class.
  init(of className: String, in reader: any SyncReader) throws(StoreError) {
    self.className = className
    userID = try reader.state(.binding)?.userID
    withdrawn = try WithdrawnMembers(of: className, in: reader)
    marks = []
    for part in 0..<Self.parts {
      marks.append(try reader.state(.memberMarks(of: className, part: part)))
    }
  }

  static func part(of objectID: String) -> Int {
    Int(objectID.utf8.reduce(UInt32(5381)) { $0 &* 33 &+ UInt32($1) } % UInt32(parts))
  }

  /// All owners that have a mark.
  var owners: Set<String> { marks.reduce(into: []) { $0.formUnion($1.keys) } }

  /// Notes that the members of an owner were listed.
  ///
  /// - Parameters:
  ///   - owner: The owner, in its version in the store.
  ///   - hidden: The members that could not be read.
  ///   - serverTime: When the server answered, by its own clock; nil if it did not say.
  ///   - delay: How long a write may take from its stamp to its last pair.
  ///   - isComplete: Whether a later list says the same, unless the owner changes.
  mutating func note(
    _ owner: StoredVersion, hidden: Set<String>, listedAt serverTime: Timestamp?, delay: Duration,
    isComplete: Bool
  ) {
    guard let version = owner.version else { return }
    var mark = settledMark(version)
    let isSettled =
      Timestamp(version.rawValue).flatMap { stamp in
        serverTime.map { stamp.adding(delay) < $0 }
      } ?? false
    if !isSettled || !isComplete { mark += Self.early }
    for member in hidden.sorted() { mark += "\(Self.separator)\(member)" }
    set(mark, of: owner.objectID)
  }

  mutating func forget(_ owner: String) { set(nil, of: owner) }

  /// Whether an owner's members must be listed, whichever records the store has.
  func isDue(_ owner: StoredVersion) -> Bool {
    guard let version = owner.version else { return false }
    let parts = mark(of: owner.objectID)?.split(separator: Self.separator)
    return parts?.first.map(String.init) != settledMark(version)
  }

  /// The members of an owner that could not be read.
  func hidden(of owner: String) -> Set<String> {
    guard let mark = mark(of: owner) else { return [] }
    return Set(mark.split(separator: Self.separator).dropFirst().map(String.init))
  }

  /// Writes changed marks.
  ///
  /// - Parameters:
  ///   - transaction: The transaction.
  ///   - rest: An owner whose part is written later, with others of that part.
  /// - Throws: `StoreError` if the store cannot be written.
  mutating func write(
    in transaction: any SyncTransaction, besides rest: StoredVersion? = nil
  ) throws(StoreError) {
    let open = rest.map { Self.part(of: $0.objectID) }
    for part in changed.sorted() where part != open {
      try transaction.change(.memberMarks(of: className, part: part)) { $0 = marks[part] }
      changed.remove(part)
    }
  }

  var isChanged: Bool { !changed.isEmpty }

  private static let early = "~"
  private static let separator: Character = "\n"

  private func mark(of owner: String) -> String? { marks[Self.part(of: owner)][owner] }

  private mutating func set(_ mark: String?, of owner: String) {
    let part = Self.part(of: owner)
    guard marks[part][owner] != mark else { return }
    marks[part][owner] = mark
    changed.insert(part)
  }

  private func settledMark(_ version: ServerVersion) -> String {
    "\(version.rawValue) \(userID ?? "")"
  }
}
