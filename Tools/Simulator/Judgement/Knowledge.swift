// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import LoopbackParse

/// The server's values that each device knows.
///
/// A device may overwrite or delete only values that it had, in a row or as a conflict record. And it changes a
/// record only to values that its own app wrote. A value that came to the server after a run of the device began
/// is excused: between the check of a version and the write, nobody can see it.
final class Knowledge: @unchecked Sendable {
  // Unchecked: one thread plays and judges a world.
  private struct Held {
    var content: Content
    /// How many commits there were before it.
    var place: Int
  }

  private let world: World
  private let classes: ClassTable
  private let identities: Identities
  private var commits = 0
  /// The server's values, by record.
  private var held: [Pointer: [String: Held]] = [:]
  /// The stamp of each record.
  private var stamps: [Pointer: String] = [:]
  /// The values that each device had at some time.
  private var seen: [[RowField: Set<Content>]]
  /// The values that each app wrote.
  private var own: [[RowField: Set<Content>]]
  /// How many commits there were when each device's run began.
  private var runs: [Int]
  /// The devices on which an older program ran, which did not declare the later field.
  private var older: Set<Int> = []
  /// The rows of which records were deleted.
  private var gone: Set<String> = []
  /// The records that are marked as deleted.
  private var marked: Set<Pointer> = []
  /// The rows of creates of which a device does not know what the server holds.
  private var unproven: Set<String> = []
  /// The first overwriting that no device may do.
  private(set) var violation: Violation?

  init(_ world: World, _ classes: ClassTable, _ identities: Identities) {
    self.world = world
    self.classes = classes
    self.identities = identities
    let count = world.settings.deviceCount
    seen = Array(repeating: [:], count: count)
    own = Array(repeating: [:], count: count)
    runs = Array(repeating: 0, count: count)
  }

  // MARK: Values of devices

  func made(_ edit: Edit, on device: Int) {
    switch edit {
    case .insert(let row, let className, let fields):
      for field in classes.fieldsWithValues(of: className) {
        learn(row, field, fields[field] ?? .empty, device, isOwn: true)
      }
    case .set(let row, let fields):
      for (field, content) in fields { learn(row, field, content, device, isOwn: true) }
    case .delete, .allow: break
    }
  }

  /// Devices may take these rows for deleted, and create them again with all values.
  func wereHidden(_ rows: Set<String>) {
    guard world.settings.editWins else { return }
    gone.formUnion(rows)
    hasUnprovenCreate(rows)
  }

  /// The answer to a create did not come, or the server refused it because of another record with its id.
  func hasUnprovenCreate(_ rows: some Sequence<String>) {
    if world.settings.allowsCustomIDs { unproven.formUnion(rows) }
  }

  func isUnproven(_ row: String) -> Bool { unproven.contains(row) }

  func startedOlder(_ device: Int) { older.insert(device) }

  func wasOlder(_ device: Int) -> Bool { older.contains(device) }

  /// The backup may be one of an older program.
  func wentBack(_ device: Int, toBackupOf other: Int) {
    if older.contains(other) { older.insert(device) }
  }

  func began(_ device: Int) { runs[device] = commits }

  func stored(_ notes: StoreNotes, on device: Int) {
    for (className, values, acl) in notes.values {
      let fields = classes.contents(of: values, acl)
      guard let row = classes.name(of: className, fields) else { continue }
      for field in classes.fieldsWithValues(of: className) {
        learn(row, field, content(fields[field]), device)
      }
    }
    for conflict in notes.conflicts {
      let row = identities.name(
        Pointer(className: conflict.record.className, objectID: conflict.record.objectID))
      for field in classes.fieldsWithValues(of: conflict.record.className)
      where conflict.isWholeRecord || conflict.lost[field] != nil {
        learn(row, field, content(classes.contents(of: conflict)[field]), device)
      }
    }
  }

  private func content(_ value: Value?) -> Content {
    value.map { Content($0, name: identities.name) } ?? .empty
  }

  private func learn(
    _ row: String, _ field: String, _ content: Content, _ device: Int, isOwn: Bool = false
  ) {
    let place = RowField(row: row, field: field)
    seen[device][place, default: []].insert(content)
    if isOwn { own[device][place, default: []].insert(content) }
  }

  // MARK: Commits of the server

  /// Takes note of a commit.
  ///
  /// - Parameters:
  ///   - commit: The commit.
  ///   - device: The device whose request it was; nil for others and for late requests.
  ///   - wasHidden: Whether a user could not read the record before.
  func committed(_ commit: LoopbackCommit, by device: Int?, wasHidden: Bool) {
    defer { commits += 1 }
    let record = Pointer(className: commit.className, objectID: commit.objectId)
    let before = held[record]
    let isMarked = classes.isMarked(commit.className, commit.fields)
    let wasMarked = isMarked ? !marked.insert(record).inserted : marked.remove(record) != nil
    if commit.fields == nil || isMarked {
      let row = identities.name(record)
      gone.insert(row)
      // A write to a record that another client has just marked deletes nothing.
      if let device, let before, commit.fields == nil || !wasMarked {
        checkLoss(of: row, in: commit.className, before, by: device)
      }
    }
    guard let fields = classes.contents(of: commit) else { return held[record] = nil }
    let row = classes.name(of: commit.className, fields) ?? "?"
    // Documented: two changes with one stamp look like one, unless a listing shows the second.
    let isUnseen = stamps.updateValue(commit.updatedAt ?? "", forKey: record) == commit.updatedAt
    let place = isUnseen ? Int.max : commits
    let written = classes.fieldsWithValues(of: commit.className)
    held[record] = Dictionary(
      uniqueKeysWithValues: written.map { field in
        let content = fields[field].map { Content($0, name: identities.name) } ?? .empty
        let old = before?[field]
        // Of a record that was hidden, no device could see it before.
        if let old, old.content == content, !wasHidden { return (field, old) }
        return (field, Held(content: content, place: place))
      })
    guard let device, !isMarked else { return }
    for field in written {
      guard let content = held[record]?[field]?.content, before?[field]?.content != content else {
        continue
      }
      if let before {
        checkChange(
          RowField(row: row, field: field), in: commit.className, from: before[field], to: content,
          by: device)
      } else {
        learn(row, field, content, device)
      }
    }
  }

  /// No device can see that the values are gone.
  func dropped(_ field: String, of className: String) {
    for record in held.keys where record.className == className {
      held[record]?[field] = Held(content: .empty, place: .max)
    }
  }

  private func checkLoss(
    of row: String, in className: String, _ before: [String: Held], by device: Int
  ) {
    // Documented: an access list that changes alone stops no delete.
    for (field, held) in before.sorted(by: { $0.key < $1.key }) where field != Fields.accessList {
      check(held, in: RowField(row: row, field: field), of: className, by: device, "deleted")
    }
  }

  private func checkChange(
    _ place: RowField, in className: String, from before: Held?, to content: Content,
    by device: Int
  ) {
    if let before { check(before, in: place, of: className, by: device, "overwrote") }
    // A record that was created again has all values of its row.
    guard own[device][place]?.contains(content) != true, !gone.contains(place.row) else { return }
    // Documented: a late value of the device gives way again to the newer one that the device had seen.
    if let before, own[device][place]?.contains(before.content) == true,
      seen[device][place]?.contains(content) == true
    {
      return
    }
    violation =
      violation
      ?? Violation(
        .blindWrite,
        "\(Writer.letter(of: device)) changed \(place.row).\(place.field) to \(content.text), which "
          + "its app did not write")
  }

  private func check(
    _ held: Held, in place: RowField, of className: String, by device: Int, _ verb: String
  ) {
    // Documented: a field that was not declared has no conflicts until its values are listed.
    if older.contains(device), classes.isLater(place.field, of: className) { return }
    // Documented: nobody can tell a field that another client cleared from one that a create never set.
    // The same holds where edits win, and several devices create a record again.
    let isCreatedAgain = world.settings.editWins && gone.contains(place.row)
    if held.content == .empty, isCreatedAgain || unproven.contains(place.row) { return }
    guard held.place < runs[device], seen[device][place]?.contains(held.content) != true else {
      return
    }
    violation =
      violation
      ?? Violation(
        .blindWrite,
        "\(Writer.letter(of: device)) \(verb) \(place.row).\(place.field), which was "
          + "\(held.content.text) on the server; it never had that value")
  }
}
