// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse

/// Who may read and write each row, now and at any time before.
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
  /// The rows that at least one user could not read at some time.
  private(set) var everHidden: Set<String> = []

  init(_ identities: Identities) { self.identities = identities }

  /// A record of a row has this access list now; nil where everybody may do everything.
  func note(_ row: String, _ list: LoopbackValue?) {
    time += 1
    for user in User.allCases {
      let mayRead = allows("read", list, to: user)
      if mayRead { hidden[user]?.remove(row) } else { hidden[user, default: []].insert(row) }
      if !mayRead { everHidden.insert(row) }
      if !mayRead || !allows("write", list, to: user) {
        denied[user, default: []].insert(row)
        restored[user]?[row] = nil
      } else if wasDenied(row, to: user), restored[user]?[row] == nil {
        restored[user, default: [:]][row] = time
      }
    }
  }

  /// The app of a device edited a row.
  func edited(_ row: String, on device: Int) {
    time += 1
    edits[device, default: [:]][row] = time
  }

  /// Whether the last edit of a row on a device may have been refused: the rights did not come back before.
  func mayBeRefused(_ row: String, to user: User?, on device: Int) -> Bool {
    guard let user, wasDenied(row, to: user) else { return false }
    guard let since = restored[user]?[row] else { return true }
    return (edits[device]?[row] ?? 0) < since
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
    guard let user, wasDenied(row, to: user) else { return true }
    return restored[user]?[row] != nil
  }

  /// Whether the server refused a user to read or to write a row at some time.
  func wasDenied(_ row: String, to user: User?) -> Bool {
    user.map { denied[$0]?.contains(row) == true } ?? false
  }

  private func allows(_ right: String, _ list: LoopbackValue?, to user: User) -> Bool {
    guard let list else { return true }
    let names = ["*", identities.ids[user] ?? ""]
    return names.contains { list[$0]?[right]?.bool == true }
  }
}
