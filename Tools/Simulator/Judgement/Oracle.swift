// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import LoopbackParse

/// Says what must hold, from what was written where and from the server's log of commits alone.
///
/// It shares no code with the engine. Each value is a stamp that only one write used, so that a lost, doubled
/// or invented value is visible.
final class Oracle: @unchecked Sendable {
  /// The newest writes of each app that the oracle still has to find somewhere.
  typealias Open = [RowField: Content]

  let world: World
  let classes: ClassTable
  let identities: Identities
  let history: CommitHistory
  let rights: Rights
  let schema: ServerSchema
  private let knowledge: Knowledge
  private let authorship: Authorship
  let replacements: Replacements
  let demand: DemandHistory
  /// The users whose data the devices hold now.
  private(set) var owners: [User?]
  /// The rows that each device's present run removed, by class, and what it may remove.
  private var removals: [Removals]
  /// Every value that anyone wrote into a field.
  private var written: [RowField: Set<Content>] = [:]
  private(set) var open: [Open]
  /// The writes of each app that went with the rows that it deleted.
  private var withdrawn: [Open]
  private var backups: [Int: Open] = [:]
  /// The rows in each backup of which the server had no record when it was made.
  private var uncreated: [Int: Set<String>] = [:]
  /// The rows that an app or another client deleted, each with those who deleted it.
  private(set) var deleted: [String: Set<Writer>] = [:]
  /// The apps that inserted rows.
  private(set) var creators: [String: Writer] = [:]
  /// Whether a device went back to an earlier state, or to that of another device.
  private(set) var hasGoneBack = false
  /// The rows of creates that arrived late, or whose answer did not come: their devices may send them again.
  private(set) var unanswered: Set<String> = []
  /// The rows of which a copy of a device's store may send the create: those with unsent edits in the backup to which
  /// the device went back, and those in a backup of its own to which another one went back.
  private var createdByCopies: [Set<String>]
  /// The first row of which the server had two records.
  private var doubled: String?
  /// The rows of changes that arrived once more, or took longer than a request may.
  private(set) var unwatched: Set<String> = []
  /// The rows that an app deleted and took back: the server may have deleted their records in between.
  private(set) var revived: Set<String> = []
  /// The first conflict that was none.
  private var needless: Violation?
  /// The rows of creates that took longer than a request may, or arrived twice.
  private(set) var overdue: Set<String> = []
  private var hasWrongClock = false

  init(_ world: World) {
    self.world = world
    classes = ClassTable(world.classes, judgingLists: world.settings.sharesRows)
    identities = Identities(world.classes)
    history = CommitHistory(world, classes, identities)
    schema = ServerSchema(world, classes)
    knowledge = Knowledge(world, classes, identities)
    rights = Rights(identities)
    authorship = Authorship(world, classes, identities, rights)
    replacements = Replacements(world.settings.deviceCount, classes, identities)
    demand = DemandHistory(world.settings.deviceCount)
    owners = (0..<world.settings.deviceCount).map { world.settings.owner(of: $0) }
    removals = Array(repeating: Removals(), count: world.settings.deviceCount)
    open = Array(repeating: [:], count: world.settings.deviceCount)
    withdrawn = open
    createdByCopies = Array(repeating: [], count: world.settings.deviceCount)
  }

  // MARK: What happened

  /// An edit was made.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - writer: Who made it.
  ///   - previous: The values that the app saw in the row before.
  func made(_ edit: Edit, by writer: Writer, over previous: [String: Content] = [:]) {
    if case .insert(let row, let className, _) = edit {
      creators[row] = writer
      rights.note(row, of: className)
    }
    demand.made(edit, by: writer)
    if case .app(let device) = writer {
      replacements.made(edit, of: rights.classes[edit.row], over: previous, on: device)
      if edit.changes(previous) { rights.edited(edit.row, on: device) }
    }
    authorship.made(edit, of: owner(of: writer))
    switch edit {
    case .insert(let row, _, let fields), .set(let row, let fields):
      for (field, content) in fields {
        let place = RowField(row: row, field: field)
        written[place, default: [.empty]].insert(content)
        guard case .app(let device) = writer else { continue }
        // Nobody edits a field that has the value already.
        if !edit.isInsert, previous[field] ?? .empty == content { continue }
        // A new row without a value writes none: a copy of the store may have given it one.
        let isNew = edit.isInsert || createdByCopies[device].contains(row)
        open[device][place] = isNew && content == .empty ? nil : content
      }
      if case .app(let device) = writer { knowledge.made(edit, on: device) }
    case .delete(let row):
      deleted[row, default: []].insert(writer)
      if case .app(let device) = writer {
        removals[device].noteDelete(in: rights.classes[row])
        for (place, content) in open[device] where place.row == row {
          withdrawn[device][place] = content
          open[device][place] = nil
        }
      }
    case .allow: break
    }
  }

  /// The app of a device took its delete of a row back.
  ///
  /// Documented: a discard also takes back the edits before the delete.
  func revive(_ row: String, on device: Int, createdBy creator: Writer?) {
    revived.insert(row)
    deleted[row]?.remove(.app(device))
    creators[row] = creator ?? creators[row]
    withdrawn[device] = withdrawn[device].filter { $0.key.row != row }
  }

  /// The app of a device took an edit of a field back whose values it did not know.
  ///
  /// Documented: a field that was not declared has no conflicts until its values are listed.
  func forgetEmptied(_ edit: Edit, on device: Int) {
    guard case .set(let row, let fields) = edit, knowledge.wasOlder(device) else { return }
    for field in fields.keys {
      let place = RowField(row: row, field: field)
      if isLater(place), open[device][place] == .empty { open[device][place] = nil }
    }
  }

  private func owner(of writer: Writer) -> User? {
    if case .app(let device) = writer { owners[device] } else { nil }
  }

  func backedUp(_ device: Int) {
    backups[device] = open[device]
    uncreated[device] = Set(open[device].keys.map(\.row).filter { history.count(of: $0) == 0 })
  }

  /// A device forgets its writes since the backup, and that is no fault.
  func wentBack(_ device: Int, toBackupOf other: Int, of owner: User?) {
    owners[device] = owner
    knowledge.wentBack(device, toBackupOf: other)
    open[device] = backups[other] ?? [:]
    createdByCopies[device] = Set(open[device].keys.map(\.row))
    // Documented: the record of a create that arrived since may have other values, and nobody can tell since when.
    let created = (uncreated[other] ?? []).filter(history.isThere)
    open[device] = open[device].filter { !created.contains($0.key.row) }
    if device != other { noteCopy(ofStoreOf: other, unsent: createdByCopies[device]) }
    withdrawn[device] = [:]
    rights.wentBack(device)
    hasGoneBack = true
  }

  /// Another device went back to a backup of this one.
  ///
  /// Documented: a create sends no empty value. So a field that the app clears before its own create arrives has the
  /// value that the copy's create sent.
  private func noteCopy(ofStoreOf device: Int, unsent: Set<String>) {
    let rows = unsent.filter { history.count(of: $0) == 0 }
    createdByCopies[device].formUnion(rows)
    for (place, content) in open[device] where content == .empty && rows.contains(place.row) {
      open[device][place] = nil
    }
  }

  /// The server committed a change.
  func committed(_ commit: LoopbackCommit, by sender: Sender) {
    judgeUnasked(commit, by: sender)
    history.note(commit)
    schema.committed(commit, by: sender)
    let row = identities.name(Pointer(className: commit.className, objectID: commit.objectId))
    let wasHidden = rights.isHidden(row)
    if world.settings.hasUsers {
      rights.committed(commit, of: row)
      authorship.committed(commit, by: sender)
      knowledge.wereHidden(rights.everHidden)
    }
    knowledge.committed(commit, by: sender.device, wasHidden: wasHidden)
    replacements.committed(commit, by: sender.device)
    // Documented: several devices, copies of a store, or a device that cannot see a marked record, create it again.
    guard let name = history.doubled, !world.settings.editWins, !hasGoneBack,
      !overdue.contains(name), !isDisputed(name), !rights.wasUnreadable(name)
    else { return }
    doubled = doubled ?? name
  }

  /// The server's owner dropped the later field of a class.
  func dropped(_ field: String, of className: String) {
    schema.dropped(className)
    rights.note(className, takesValues: true)
    history.dropped(field, of: className)
    knowledge.dropped(field, of: className)
    replacements.dropped(field, of: className)
  }

  /// The dropped field of a class came back with another type: the server refuses values of the devices.
  func retypedField(of className: String) {
    schema.retyped(className)
    rights.note(className, takesValues: false)
  }

  /// An older program starts on a device.
  func startedOlder(_ device: Int) { knowledge.startedOlder(device) }

  /// A sync of a device begins.
  func began(_ device: Int, confirming confirmed: Set<String>) {
    knowledge.began(device)
    demand.began(device)
    removals[device] = Removals(confirmed: confirmed)
  }

  /// The engine wrote into a device's store.
  func stored(_ notes: StoreNotes, on device: Int) {
    knowledge.stored(notes, on: device)
    for conflict in notes.conflicts {
      needless = needless ?? needlessness(of: conflict, on: device)
    }
    removals[device].note(notes, classes)
  }

  /// A request that creates these rows arrives, and will arrive once more.
  func willRepeat(creating rows: [String]) { overdue.formUnion(rows) }

  /// The device of a request about these records does not watch for it any more.
  func isUnwatched(_ records: [Pointer]) { unwatched.formUnion(records.map(identities.name)) }

  /// The answer to a request that creates these rows does not reach the device.
  func losesAnswer(creating rows: [String]) {
    unanswered.formUnion(rows)
    knowledge.hasUnprovenCreate(rows)
  }

  /// The server carried out a request that creates these rows, and denied it.
  ///
  /// The engine believes a refusal and sends the creates again; the second records go in the end.
  func deniesWork(creating rows: [String]) { overdue.formUnion(rows) }

  /// A device's clock jumps ahead.
  ///
  /// Documented: by such a clock, each request has taken longer than the settings allow.
  func clockJumped() { hasWrongClock = true }

  /// A request that creates these rows arrived some seconds after it had left.
  func arrivedLate(creating rows: [String], age: Double) {
    losesAnswer(creating: rows)
    if age > Self.longestRequest || hasWrongClock { overdue.formUnion(rows) }
  }

  /// The time that the settings allow a request.
  static let longestRequest = 115.0

  // MARK: Safety

  /// Holds at any time.
  func checkSafety(_ device: Int, _ view: DeviceView) throws(Violation) {
    if let doubled {
      throw Violation(.duplicate, "the server had two records of \(doubled) at a time")
    }
    if let violation = authorship.violation { throw violation }
    if let violation = schema.violation { throw violation }
    // Documented: copies of a store are not known to each other.
    if let violation = knowledge.violation, !hasGoneBack { throw violation }
    if let needless { throw needless }
    try removals[device].check(view, of: world) { row in
      history.isThere(row) && rights.mayRead(row, owners[device])
    }
    try checkDeletes(device, view)
    try checkPhantoms(view.rows, on: view.device)
    try checkReplacements(device, view)
    takeBackDeletes(device, view)
    noteHeldRows(device, view)
    try checkWrites(device, view)
  }

  /// A row that the app of a device deleted does not come back there, where deletes win.
  private func checkDeletes(_ device: Int, _ view: DeviceView) throws(Violation) {
    guard !world.settings.editWins, !hasGoneBack else { return }
    for row in view.rows where deleted[row.name]?.contains(.app(device)) == true {
      guard !overdue.contains(row.name), !unanswered.contains(row.name),
        !revived.contains(row.name), !rights.wasDenied(row.name, to: owners[device])
      else { continue }
      throw Violation(
        .resurrection, "\(view.device) has \(row.name) again, which its app deleted")
    }
  }

  private func checkPhantoms(_ rows: [DeviceView.Row], on side: String) throws(Violation) {
    for row in rows {
      for (field, content) in row.fields where field != classes.flag(of: row.className) {
        let place = RowField(row: row.name, field: field)
        guard written[place]?.contains(content) ?? (content == .empty) else {
          throw Violation(
            .phantom, "\(side): \(row.name).\(field) is \(content.text), and nobody wrote that")
        }
      }
    }
  }

  /// Documented: an edit that takes back a delete also takes back the edits before it.
  private func takeBackDeletes(_ device: Int, _ view: DeviceView) {
    guard world.settings.editWins, !hasGoneBack, !withdrawn[device].isEmpty else { return }
    let waiting = Set(view.pending.filter(\.isDelete).map { view.name(of: $0, identities) })
    for row in view.rows where !waiting.contains(row.name) && !overdue.contains(row.name) {
      // A delete that the server carried out took the edits with it.
      guard !history.removed.contains(row.name) else { continue }
      guard !unanswered.contains(row.name), !rights.wasDenied(row.name, to: owners[device]) else {
        continue
      }
      for (place, content) in withdrawn[device] where place.row == row.name {
        withdrawn[device][place] = nil
        // Documented: a program that does not declare a field brings no edit of it back.
        if knowledge.wasOlder(device), isLater(place) { continue }
        open[device][place] = open[device][place] ?? content
      }
    }
  }

  private func checkWrites(_ device: Int, _ view: DeviceView) throws(Violation) {
    let waiting = Set(view.pending.map { view.name(of: $0, identities) })
    // A device may have rows of both records that one row has.
    let rows = Dictionary(grouping: view.rows, by: \.name)
    for (place, content) in open[device] {
      // A device may have rows of both records.
      if isDisputed(place.row), history.count(of: place.row) > 1 {
        open[device][place] = nil
        continue
      }
      if history.held(content, in: place) {
        open[device][place] = nil
        continue
      }
      let shown = rows[place.row] ?? []
      let row = shown.first { $0.fields[place.field] == content } ?? shown.first
      // An older program does not show the field. The row shows it again in a newer one.
      let isUnseen = view.hidesLater && isLater(place)
      if isUnseen, row != nil { continue }
      let isHere = row.map { ($0.fields[place.field] ?? .empty) == content } ?? false
      // Documented: in a class that is never removed, the row stays with its edit, which is not sent.
      // A program that inserts a row again leaves the list out. The next sync gives it back.
      let isLeftOut =
        place.field == Fields.accessList && row != nil && row?.fields[place.field] == nil
      let isWaiting =
        (isHere || isLeftOut)
        && (waiting.contains(place.row) || world.isNeverRemoved(row?.className))
      let lost = DeviceView.Lost(row: place.row, field: place.field, content: content)
      if view.lost.contains(lost) {
        // The conflict record stays, whatever becomes of the row.
        open[device][place] = nil
        continue
      }
      if isWaiting { continue }
      // Documented: copies of a store share the key of a create without an answer. After an edit by another client, the
      // key proves the create of each of them.
      if hasGoneBack, unanswered.contains(place.row) || revived.contains(place.row) { continue }
      // Documented: a create sends no empty value, so a field that the app cleared meanwhile is like one never set.
      if content == .empty, knowledge.isUnproven(place.row) { continue }
      if view.lostWithRow.contains(lost) {
        // Documented: a program that cannot send an edit cannot let it win. A kill may end that program.
        if isUnseen || knowledge.wasOlder(device) && isLater(place) {
          open[device][place] = nil
          continue
        }
        try checkMayGo(place, content, isThere: row != nil, view)
        continue
      }
      throw Violation(
        .lostWrite,
        "\(view.device) wrote \(content.text) into \(place.row).\(place.field); that is neither "
          + "waiting there nor kept as a conflict record, and the server never had it")
    }
  }
}
