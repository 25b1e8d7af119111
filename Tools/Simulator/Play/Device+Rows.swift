// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning
import FerryStore
import SimulatedDisk

// The rows of a device, as its app and its engine see them.
extension Device {
  /// Carries an edit of the app out; false if the row is not there.
  func make(_ edit: Edit) throws -> Bool {
    try noting(.edit) { try carryOut(edit) }
  }

  /// Notes the transaction that some work makes, if it makes one.
  func noting<Result>(_ step: AppHistory.Step, _ work: () throws -> Result) throws -> Result {
    // On a disk that may fail, apps take no edits back.
    guard disk == nil else { return try work() }
    let former = try program.store.read { try $0.lastToken() }
    let result = try work()
    let token = try program.store.read { try $0.lastToken() }
    if token != former { history.note(token, step, at: surroundings.clock.date) }
    return result
  }

  private func carryOut(_ edit: Edit) throws -> Bool {
    try program.store.write { db in
      switch edit {
      case .insert(let row, let className, let fields):
        guard !self.hides(fields, of: className), let values = try self.values(fields, db)
        else { return false }
        let reference = try db.insert(className, Fields(values))
        self.surroundings.identities.learn(row, className, reference.objectID)
      case .set(let row, let fields):
        guard let record = try self.record(row, db), !self.hides(fields, of: record.className),
          let values = try self.values(fields, db)
        else { return false }
        // A row without a list is open as far as the app can see.
        if record.acl.isNull, fields[Fields.accessList] == .empty { return false }
        try db.update(
          record.reference, Fields(values).withoutAccessList,
          acl: values[Fields.accessList].map { AccessList($0) ?? .open })
      case .delete(let row):
        guard let record = try self.record(row, db) else { return false }
        try db.delete(record.reference)
      case .allow: return false
      }
      return true
    }
  }

  private func hides(_ fields: [String: Content], of className: String) -> Bool {
    hidesLater
      && fields.keys.contains { surroundings.classes.isLater($0, of: className) }
  }

  /// The values of a row, as the app sees them; empty if it is not there.
  func values(of row: String) throws -> [String: Content] {
    try looking { try record(row, $0).map { contents(of: $0) } ?? [:] }
  }

  /// Everything that waits, also the edits of fields that the running program does not declare.
  private func waiting(
    _ entries: [OutboxEntry], _ db: any SyncReader
  ) throws(StoreError) -> Set<DeviceView.Waiting> {
    var waiting = entries.reduce(into: Set()) { $0.formUnion($1.waiting) }
    for entity in surroundings.schema.entities where entity.membership == nil {
      for (localID, fields) in try db.undeclaredEdits(of: entity.name) {
        for field in fields {
          waiting.insert(.init(className: entity.name, localID: localID, field: field))
        }
      }
    }
    return waiting
  }

  /// The values of a record that the rules judge.
  func contents(of record: Record) -> [String: Content] {
    surroundings.classes.contents(of: record.fields, record.acl).values
      .mapValues { Content($0, name: surroundings.identities.name) }
  }

  /// The simulator's look at the store is no work of the device.
  private func withoutFailures<Result>(_ body: () throws -> Result) throws -> Result {
    if let disk { try disk.withoutFailures(body) } else { try body() }
  }

  /// Reads as the simulator, and not as the app.
  func looking<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
    try withoutFailures { try program.store.read(body) }
  }

  func record(_ name: String, _ db: any StoreReader) throws -> Record? {
    for entity in surroundings.schema.entities {
      guard let title = surroundings.classes.title(of: entity.name) else { continue }
      let found = try db.records(
        of: entity.name, where: .field(title, .equal, .string(name)), limit: 1)
      if let record = found.first { return record }
    }
    return nil
  }

  private func values(
    _ fields: [String: Content], _ db: any StoreReader
  ) throws -> [String: Value]? {
    var values: [String: Value] = [:]
    for (field, content) in fields {
      var targets: [String: Pointer] = [:]
      for name in content.rows {
        targets[name] = try record(name, db)
          .map { Pointer(className: $0.className, objectID: $0.objectID) }
      }
      guard let value = content.value(pointer: { targets[$0] }) else { return nil }
      values[field] = value
    }
    return values
  }

  /// The rows of the device, its unsent changes, and the values it lost.
  func view() throws -> DeviceView { try withoutFailures { try look() } }

  /// Whether creates wait for a login, as far as the device knows.
  func awaitsLogin() throws -> Bool {
    try withoutFailures {
      try program.store.syncRead { db throws(StoreError) in
        try !db.classesForUsersOnly().isEmpty
      }
    }
  }

  /// The classes at which an earlier run failed, and that wait for their next download.
  func failedClasses() throws -> Set<String> {
    let names = surroundings.schema.entities.map(\.name)
    return try withoutFailures {
      try program.store.inspect { inspection throws(StoreError) in
        var failed: Set<String> = []
        for name in names where try inspection.syncState(of: name).failure != nil {
          failed.insert(name)
        }
        return failed
      }
    }
  }

  private func look() throws -> DeviceView {
    let identities = surroundings.identities
    return try program.store.syncRead { db throws(StoreError) in
      var rows: [DeviceView.Row] = []
      for entity in self.surroundings.schema.entities {
        for record in try db.records(of: entity.name) {
          guard let name = self.surroundings.classes.name(of: entity.name, record.fields) else {
            continue
          }
          identities.learn(name, entity.name, record.objectID)
          rows.append(
            DeviceView.Row(
              name: name, className: entity.name, localID: record.localID,
              objectID: record.objectID, fields: self.contents(of: record)))
        }
      }
      var lost: Set<DeviceView.Lost> = []
      var lostWithRow: Set<DeviceView.Lost> = []
      for conflict in try db.conflicts() {
        let name = identities.name(
          Pointer(className: conflict.record.className, objectID: conflict.record.objectID))
        let losses = self.surroundings.classes.contents(of: conflict)
        for (field, value) in losses.values {
          let value = DeviceView.Lost(
            row: name, field: field, content: Content(value, name: identities.name))
          if conflict.reason == .deletedRemotely {
            lostWithRow.insert(value)
          } else {
            lost.insert(value)
          }
        }
        guard conflict.isWholeRecord else { continue }
        // A field without a value is not in it.
        let fields = self.surroundings.schema.entity(conflict.record.className)?.contentNames ?? []
        for field in fields where losses[field] == nil {
          let value = DeviceView.Lost(row: name, field: field, content: .empty)
          if conflict.reason == .deletedRemotely {
            lostWithRow.insert(value)
          } else {
            lost.insert(value)
          }
        }
      }
      let pending = try db.pendingEntries(of: nil).filter { entry in
        self.surroundings.schema.entity(entry.className)?.membership == nil
      }
      return DeviceView(
        number: self.number, device: self.letter, owner: self.owner, hidesLater: self.hidesLater,
        rows: rows,
        pending: pending, waiting: try self.waiting(pending, db), lost: lost,
        lostWithRow: lostWithRow,
        quarantined: try db.quarantine(of: nil).map {
          identities.name(Pointer(className: $0.className, objectID: $0.objectID))
        })
    }
  }
}
