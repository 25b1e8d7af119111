// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse

/// Who may read and write each row and each class, now and at any time before.
final class Rights {
  private let identities: Identities
  /// The rows that each user may not read now.
  private var hidden: [User: Set<String>] = [:]
  /// The rows that each user could not read or could not write at some time.
  private var denied: [User: Set<String>] = [:]
  /// The rows that each user may read and write again, and since when.
  private var restored: [User: [String: Int]] = [:]
  /// The rows that each device's app edited, and when last.
  private var edits: [Int: [String: Int]] = [:]
  /// The number of edits and commits so far.
  private var time = 0
  /// The access list of each record that the server has, by row and object id.
  private var lists: [String: [String: LoopbackValue?]] = [:]
  /// The rows that at least one user could not read at some time.
  private(set) var everHidden: Set<String> = []

  /// The classes of the rows.
  private(set) var classes: [String: String] = [:]
  /// The classes that the server did not let devices read at some time.
  private var unreadable: Set<String> = []
  /// The classes of which the server denied writes at some time, and since when it allows them again.
  private var closed: [Denial: [String: Int?]] = [:]

  /// Why the server denies writes to a class.
  private enum Denial: CaseIterable {
    /// Everybody's rights leave them out.
    case rights
    /// The later field takes no values of the devices' type.
    case otherType
  }

  /// Whether devices could not read a row's class at some time.
  func wasUnreadable(_ row: String) -> Bool { classes[row].map(unreadable.contains) ?? false }

  /// Whether at least one user may not read a row now.
  func isHidden(_ row: String) -> Bool { hidden.values.contains { $0.contains(row) } }

  init(_ identities: Identities) { self.identities = identities }

  /// A row of a class was made.
  func note(_ row: String, of className: String) { classes[row] = className }

  /// Everybody may do this with a class now.
  func note(_ className: String, _ access: ClassAccess) {
    note(.rights, of: className, access.deniesWrites)
    if access.deniesReads { unreadable.insert(className) }
  }

  /// The later field of a class takes values of the devices' type now, or does not.
  func note(_ className: String, takesValues: Bool) {
    note(.otherType, of: className, !takesValues)
  }

  private func note(_ denial: Denial, of className: String, _ isDenied: Bool) {
    time += 1
    if isDenied {
      closed[denial, default: [:]][className] = .some(nil)
    } else if let since = closed[denial]?[className], since == nil {
      closed[denial]?[className] = time
    }
  }

  /// For each reason for which writes to a row's class were denied: since when they are allowed again.
  private func reopenings(of row: String) -> [Int?] {
    guard let name = classes[row] else { return [] }
    return Denial.allCases.compactMap { closed[$0]?[name] }
  }

  /// The server committed a change of a record of a row, or removed it.
  ///
  /// A row may have two records. A user may do with it what both allow.
  func committed(_ commit: LoopbackCommit, of row: String) {
    time += 1
    if commit.fields == nil {
      lists[row]?[commit.objectId] = nil
    } else {
      lists[row, default: [:]].updateValue(commit.acl, forKey: commit.objectId)
    }
    guard let lists = lists[row], !lists.isEmpty else { return }
    for user in User.allCases {
      let mayRead = lists.values.allSatisfy { allows("read", $0, to: user) }
      if mayRead { hidden[user]?.remove(row) } else { hidden[user, default: []].insert(row) }
      if !mayRead { everHidden.insert(row) }
      if !mayRead || !lists.values.allSatisfy({ allows("write", $0, to: user) }) {
        denied[user, default: []].insert(row)
        restored[user]?[row] = nil
      } else if wasLeftOut(row, for: user), restored[user]?[row] == nil {
        restored[user, default: [:]][row] = time
      }
    }
  }

  /// The app of a device edited a row.
  func edited(_ row: String, on device: Int) {
    time += 1
    edits[device, default: [:]][row] = time
  }

  /// A device goes on with a backup, in which its edits may be older, or another device's.
  func wentBack(_ device: Int) { edits[device] = nil }

  /// Whether the last edit of a row on a device may have been refused: the rights did not come back before.
  func mayBeRefused(_ row: String, to user: User?, on device: Int) -> Bool {
    let edited = edits[device]?[row] ?? 0
    if reopenings(of: row).contains(where: { edited < $0 ?? .max }) { return true }
    guard let user, wasLeftOut(row, for: user) else { return false }
    return edited < restored[user]?[row] ?? .max
  }

  /// Whether a user may read a record with this access list; nobody's device reads all.
  func mayRead(_ list: LoopbackValue?, _ user: User?) -> Bool {
    user.map { allows("read", list, to: $0) } ?? true
  }

  func mayRead(_ row: String, _ user: User?) -> Bool {
    user.map { hidden[$0]?.contains(row) != true } ?? true
  }

  /// Whether a user may read and write a row now.
  func mayWrite(_ row: String, _ user: User?) -> Bool {
    if reopenings(of: row).contains(nil) { return false }
    guard let user, wasLeftOut(row, for: user) else { return true }
    return restored[user]?[row] != nil
  }

  /// Whether the server refused a user to read or to write a row at some time.
  func wasDenied(_ row: String, to user: User?) -> Bool {
    if !reopenings(of: row).isEmpty { return true }
    return user.map { wasLeftOut(row, for: $0) } ?? false
  }

  /// Whether the server refused anybody to read or to write a row at some time.
  func wasDenied(_ row: String) -> Bool { User.allCases.contains { wasDenied(row, to: $0) } }

  /// Whether a row's access list left a user out at some time.
  private func wasLeftOut(_ row: String, for user: User) -> Bool {
    denied[user]?.contains(row) == true
  }

  private func allows(_ right: String, _ list: LoopbackValue?, to user: User) -> Bool {
    guard let list else { return true }
    let names = ["*", identities.ids[user] ?? ""]
    return names.contains { list[$0]?[right]?.bool == true }
  }
}
