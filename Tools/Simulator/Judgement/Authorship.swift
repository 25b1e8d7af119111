// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import LoopbackParse

/// Which user's app wrote each value, and which user's app deleted each row.
///
/// The server takes a value of an app only from a session of the user whose data the device holds.
final class Authorship {
  private let identities: Identities
  private let rights: Rights
  private let classes: ClassTable
  private var authors: [RowField: [Content: Set<User>]] = [:]
  private var deleters: [String: Set<User>] = [:]
  /// The rows that another client wrote or deleted, too.
  private var touched: Set<String> = []
  /// The server's values, by record.
  private var held: [Pointer: [String: LoopbackValue]] = [:]
  /// The values that the server ever took: a device puts one back that its own late request overwrote.
  private var taken: [RowField: Set<Content>] = [:]
  /// The rows of which a record is gone: a device may create them again with all values.
  private var gone: Set<String> = []
  /// The rows of which the server had two records, also one after the other: their devices may remove one of them.
  private var doubled: Set<String> = []
  /// The first value that came in a session of another user, or the first record that is open and should not be.
  private(set) var violation: Violation?
  /// The classes of which each device creates records for its user alone.
  private let privateClasses: Set<String>

  init(_ world: World, _ classes: ClassTable, _ identities: Identities, _ rights: Rights) {
    privateClasses = Set(world.classes.filter(\.isPrivateBySchema).map(\.name))
    self.classes = classes
    self.identities = identities
    self.rights = rights
  }

  /// An app made an edit on a device that holds the data of a user; nil for another client.
  func made(_ edit: Edit, of user: User?) {
    switch edit {
    case .insert(let row, _, let fields), .set(let row, let fields):
      guard let user else { break }
      for (field, content) in fields {
        authors[RowField(row: row, field: field), default: [:]][content, default: []].insert(user)
      }
    case .delete(let row):
      if let user { deleters[row, default: []].insert(user) } else { touched.insert(row) }
    case .allow: break
    }
  }

  /// Takes note of a commit; `sender` says whose request it was.
  func committed(_ commit: LoopbackCommit, by sender: Sender) {
    let record = Pointer(className: commit.className, objectID: commit.objectId)
    let before = held.updateValue(commit.fields ?? [:], forKey: record)
    let row = identities.name(record)
    let isRemoval = commit.fields == nil || classes.isMarked(commit.className, commit.fields)
    // A late write to a record that is marked as removed removes it no second time.
    let isFirstRemoval = isRemoval && !gone.contains(row)
    if isRemoval {
      gone.insert(row)
      held[record] = nil
    } else if gone.contains(row)
      || held.keys.contains(where: { $0 != record && identities.name($0) == row })
    {
      doubled.insert(row)
    }
    defer { take(commit, of: row) }
    guard case .request(_, let user) = sender else { return }
    if before == nil { checkAccess(commit, of: row, by: user) }
    if isFirstRemoval { checkDelete(of: row, by: user) }
    guard !isRemoval else { return }
    // A device that takes a hidden record for a deleted one may create it again.
    guard !gone.contains(row), !rights.everHidden.contains(row) else { return }
    for (field, value) in commit.fields ?? [:] {
      let content = Content(value, name: identities.name)
      // A pointer to a record that was created again is the same, under another id.
      if let old = before?[field], Content(old, name: identities.name) == content { continue }
      check(content, RowField(row: row, field: field), user)
    }
  }

  private func take(_ commit: LoopbackCommit, of row: String) {
    for (field, value) in commit.fields ?? [:] {
      taken[RowField(row: row, field: field), default: []]
        .insert(Content(value, name: identities.name))
    }
  }

  /// A new record is never open to everyone; a record that comes back has the list that it had.
  ///
  /// A record that was marked as removed is no new one: it may have had no list.
  private func checkAccess(_ commit: LoopbackCommit, of row: String, by user: User?) {
    let isAgain = gone.contains(row) || doubled.contains(row)
    let isMarked = isAgain && classes.flag(of: commit.className) != nil
    guard commit.fields != nil, privateClasses.contains(commit.className), !isMarked else { return }
    let readers = User.allCases.filter { rights.mayRead(commit.acl, $0) }
    guard commit.acl == nil || !isAgain && readers != [user].compactMap(\.self) else { return }
    violation =
      violation
      ?? Violation(
        .wrongUser,
        "\(row) was created in a session of \(user?.rawValue ?? "nobody") and is not private")
  }

  private func checkDelete(of row: String, by user: User?) {
    let users = deleters[row] ?? []
    guard !users.isEmpty, !touched.contains(row), !doubled.contains(row),
      !users.contains(where: { $0 == user })
    else {
      return
    }
    blame(user, "deleted \(row)", users)
  }

  private func check(_ content: Content, _ place: RowField, _ user: User?) {
    guard let users = authors[place]?[content], !users.contains(where: { $0 == user }),
      taken[place]?.contains(content) != true
    else { return }
    blame(user, "set \(place.row).\(place.field) to \(content.text)", users)
  }

  private func blame(_ user: User?, _ deed: String, _ owners: Set<User>) {
    violation =
      violation
      ?? Violation(
        .wrongUser,
        "a session of \(user?.rawValue ?? "nobody") \(deed), which is an edit of "
          + owners.map(\.rawValue).sorted().joined(separator: " and "))
  }
}
