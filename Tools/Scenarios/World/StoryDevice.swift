// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryParse
import FerryPlanning
import FerrySQLite
import FerryStore
import Foundation
import Synchronization

/// A device of a story: a store, its staging folder, a coordinator, and a network of its own.
final class StoryDevice: Sendable {
  /// The state that lasts from one start of the app to its end or its kill.
  private struct Life {
    var schema: Schema
    var store: StoryStore
    var network: StoryNetwork
    var coordinator: SyncCoordinator
    var isKilled = false
    /// The list that the app shows; nil for none.
    var list: StoryList?
    /// A listener whose closure throws; nil for none.
    var throwingListener: ThrowingListener?
  }

  /// The memory of a device beside its store.
  struct Memory {
    /// Removals that the last sync held back, and those of them that were confirmed.
    var guarded: Set<String> = []
    var confirmed: Set<String> = []
    /// The actions of the last plan.
    var planned: [SyncAction] = []
  }

  let name: String
  let world: StoryWorld
  let folder: DeviceFolder
  /// The records that the names of the story mean.
  var names: NameBook { world.names }
  private let life: Mutex<Life>
  /// The life of the device's other program; nil until it starts for the first time.
  private let otherLife = Mutex<Life?>(nil)
  let session = StorySession()
  let memory = Mutex(Memory())
  let clock: StoryDeviceClock
  /// The store as it was backed up, where it is kept in memory.
  let backup = Mutex<(any SyncStore)?>(nil)

  init(_ name: String, in world: StoryWorld) throws {
    self.name = name
    self.world = world
    clock = StoryDeviceClock(world.clock)
    let schema = world.telling.schema
    folder = try DeviceFolder(world.folder.appending(path: name))
    let store: any SyncStore =
      switch world.variant.store {
      case .memory:
        try InMemoryStore(
          schema: schema, generator: clock.generator, now: clock.environment.now)
      case .sqlite:
        try SQLiteStore(
          at: folder.database, schema: schema, generator: clock.generator,
          now: clock.environment.now)
      }
    life = Mutex(Self.life(name, schema, store, folder, session, clock, in: world))
  }

  private static func life(
    _ name: String, _ schema: Schema, _ inner: any SyncStore, _ folder: DeviceFolder,
    _ session: StorySession, _ clock: StoryDeviceClock, in world: StoryWorld
  ) -> Life {
    let store = StoryStore(inner) { [unowned world] in
      { [unowned world] classNames in _ = world.reached(.imported(classNames), on: name) }
    }
    let network = StoryNetwork(device: name, world: world)
    let options = world.telling.options
    let coordinator = SyncCoordinator(
      store: store,
      server: ParseServer(
        url: world.server.url, applicationID: "app1", sessionToken: { try await session.token() }),
      staging: folder.staging,
      conflicts: ConflictPolicies(options.conflicts)
        .deletions(options.deletions, in: schema), options: options.sync,
      transport: network, environment: clock.environment)
    return Life(schema: schema, store: store, network: network, coordinator: coordinator)
  }

  var coordinator: SyncCoordinator { life.withLock { $0.coordinator } }
  var schema: Schema { life.withLock { $0.schema } }
  var network: StoryNetwork { life.withLock { $0.network } }
  var list: StoryList? { life.withLock { $0.list } }
  var throwingListener: ThrowingListener? { life.withLock { $0.throwingListener } }
  /// The store, beyond the reach of a kill.
  var store: any SyncStore { life.withLock { $0.store.inner } }
  var staging: URL { folder.staging }
  /// The database file; nil for a store in memory.
  var database: URL? { world.variant.store == .sqlite ? folder.database : nil }

  /// Shows a list from now on.
  func show(_ list: StoryList) { life.withLock { $0.list = list } }

  /// Listens from now on beside the list, and throws at the next commit.
  func throwAtCommit() throws {
    let listener = try ThrowingListener(to: store)
    life.withLock { $0.throwingListener = listener }
  }

  // MARK: Ending and beginning

  /// Ends the process: from now on nothing is written or sent.
  func kill() throws {
    life.withLock { life in
      life.isKilled = true
      life.store.kill()
      life.network.kill()
    }
    try folder.keepStaging()
  }

  var isKilled: Bool { life.withLock(\.isKilled) }

  /// Starts again with what a kill left on disk.
  func revive() throws {
    try folder.restoreStaging()
    try reopen()
  }

  /// Closes the store and opens it again, perhaps with another schema.
  func reopen(_ change: Reopening = .unchanged) throws {
    var schema = self.schema
    for entity in world.telling.schema.entities where schema.entity(entity.name) == nil {
      schema.entities.append(entity)
    }
    schema = schema.reopened(change)
    if case .memory = world.variant.store {
      guard case .unchanged = change else {
        throw StoryFault(
          "a store in memory cannot be opened with another schema; say \"options only sqlite\"")
      }
    }
    live(on: try opened(schema), schema)
  }

  /// Another connection to the store; a store in memory is the same object for all programs.
  private func opened(_ schema: Schema) throws -> any SyncStore {
    switch world.variant.store {
    case .memory: store
    case .sqlite:
      try SQLiteStore(
        at: folder.database, schema: schema, generator: clock.generator,
        now: clock.environment.now)
    }
  }

  /// The other program works from now on, with the schema of the story at first; both live.
  func switchProgram() throws {
    let schema = world.telling.schema
    let next =
      try otherLife.withLock(\.self)
      ?? Self.life(name, schema, opened(schema), folder, session, clock, in: world)
    let last = life.withLock { life in
      defer { life = next }
      return life
    }
    otherLife.withLock { $0 = last }
  }

  /// Starts a life on a store.
  func live(on inner: any SyncStore, _ schema: Schema) {
    let next = Self.life(name, schema, inner, folder, session, clock, in: world)
    life.withLock { $0 = next }
  }
}

extension ConflictPolicies {
  fileprivate func deletions(_ policy: DeletionPolicy, in schema: Schema) -> ConflictPolicies {
    schema.entities.reduce(self) { $0.deletions(in: $1.name, policy) }
  }
}
