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
/// stamps an owner before it writes them. Owners with an early mark are listed again.
struct MemberMarks {
  /// How many notes hold the marks of a relation, so that one listing does not rewrite those of all owners.
  static let parts = 64

  let userID: String?

  static func part(of objectID: String) -> Int {
    Int(objectID.utf8.reduce(UInt32(5381)) { $0 &* 33 &+ UInt32($1) } % UInt32(parts))
  }

  /// The mark of an owner whose members were listed.
  ///
  /// - Parameters:
  ///   - version: The owner's version in the store.
  ///   - serverTime: When the server answered, by its own clock; nil if it did not say.
  ///   - delay: How long a write may take from its stamp to its last pair.
  /// - Returns: The mark to keep.
  func mark(_ version: ServerVersion, listedAt serverTime: Timestamp?, delay: Duration) -> String {
    let settled = settledMark(version)
    guard let stamp = Timestamp(version.rawValue), let serverTime,
      stamp.adding(delay) < serverTime
    else { return settled + Self.early }
    return settled
  }

  /// Whether an owner's members must be listed.
  func isDue(_ version: ServerVersion, _ mark: String?) -> Bool { mark != settledMark(version) }

  private static let early = "~"

  private func settledMark(_ version: ServerVersion) -> String {
    "\(version.rawValue) \(userID ?? "")"
  }
}
