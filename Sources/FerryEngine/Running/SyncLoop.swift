// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Synchronization

/// Carries out what a timetable says, until its task is cancelled.
///
/// Edits, calls and the network only change the timetable. One loop reads it, and syncs or sleeps.
final class SyncLoop: Sendable {
  private let coordinator: SyncCoordinator
  private let schedule: SyncSchedule
  private let adopting: Set<StoreAdoption>
  private let began: @Sendable (SyncRun) -> Void
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private let timetable: Mutex<SyncTimetable>
  /// Why the last sync failed; nil if it did not.
  private let failure = Mutex<SyncState.Failure?>(nil)
  /// Signals each change of the timetable.
  private let (changes, change) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  init(
    _ coordinator: SyncCoordinator, _ schedule: SyncSchedule, adopting: Set<StoreAdoption>,
    _ began: @escaping @Sendable (SyncRun) -> Void
  ) {
    self.coordinator = coordinator
    self.schedule = schedule
    self.adopting = adopting
    self.began = began
    start = clock.now
    timetable = Mutex(SyncTimetable(schedule, classNames: [], at: 0))
  }

  /// Seconds since the beginning; a time in which the device slept counts, too.
  private var now: Double { (clock.now - start) / .seconds(1) }

  /// Syncs until the task is cancelled.
  func run() async {
    // It listens before it looks for the first time, so it misses nothing.
    let wakeUps = coordinator.wakeUps.stream()
    let networks = coordinator.environment.networkChanges()
    let successes = coordinator.activity.successes.stream()
    let ages = await agesOfClasses()
    timetable.withLock {
      $0 = SyncTimetable(
        schedule, classNames: coordinator.store.schema.entities.map(\.name), ages: ages, at: now)
    }
    await withDiscardingTaskGroup { group in
      group.addTask { await self.follow(wakeUps) { $0.woken($1.classes, at: $2) } }
      group.addTask { await self.follow(networks) { $0.networkChanged(at: $2) } }
      group.addTask {
        await self.follow(successes) { table, _, _ in
          table.succeeded()
          self.failure.withLock { $0 = nil }
        }
      }
      group.addTask { await self.followEdits() }
      await self.syncAndSleep()
      group.cancelAll()
    }
    coordinator.activity.rest(.idle(nextSync: nil))
  }

  private func syncAndSleep() async {
    var alarm: Task<Void, any Error>?
    change.yield()
    for await _ in changes {
      alarm?.cancel()
      alarm = await syncUntilNothingIsDue().map(alarm(at:))
    }
    alarm?.cancel()
  }

  /// Syncs as long as the timetable says so; returns the time until which nothing is due, or nil for no time.
  private func syncUntilNothingIsDue() async -> Double? {
    while !Task.isCancelled {
      switch timetable.withLock({ $0.step(at: now) }) {
      case .sync(let classes): await sync(classes)
      case .send(let hasWaited): await send(anyChange: hasWaited)
      case .wait(let time):
        coordinator.activity.rest(activity(until: time))
        return time
      }
    }
    return nil
  }

  /// Wakes the loop at a time.
  private func alarm(at time: Double) -> Task<Void, any Error> {
    Task { [clock, start, change] in
      try await clock.sleep(until: start + .seconds(time), tolerance: .milliseconds(10))
      change.yield()
    }
  }
}

extension SyncLoop {
  // MARK: Events

  private func note(_ body: (inout SyncTimetable, Double) -> Void) {
    timetable.withLock { body(&$0, now) }
    change.yield()
  }

  private func follow<Signal: Sendable>(
    _ signals: AsyncStream<Signal>,
    _ noted: @Sendable (inout SyncTimetable, Signal, Double) -> Void
  ) async {
    for await signal in signals { note { noted(&$0, signal, $1) } }
  }

  /// Follows the edits of this process and of others, as soon as the store can be read.
  private func followEdits() async {
    let store = coordinator.syncStore
    var followed: (AsyncStream<StoreChange>, HistoryToken)?
    while !Task.isCancelled, followed == nil {
      followed = try? await store.accessQueue.run(.reading) {
        (store.changes, try store.read { reader throws(StoreError) in try reader.lastToken() })
      }
      if followed == nil { try? await Task.sleep(for: schedule.shortestPause) }
    }
    guard let (commits, token) = followed else { return }
    // An edit of before is unsent all the same.
    note { $0.edited(1, at: $1) }
    var last = token
    for await commit in commits {
      let count = Int(clamping: commit.token.rawValue - last.rawValue)
      last = commit.token
      if commit.authors.contains(.app) { note { $0.edited(count, at: $1) } }
    }
  }
}

extension SyncLoop {
  // MARK: Syncs

  /// Sends the unsent changes, if there is one that a sync can send now, or if any change will do.
  private func send(anyChange: Bool) async {
    let (store, environment) = (coordinator.syncStore, coordinator.environment)
    let options = coordinator.options
    timetable.withLock { $0.looks(at: now) }
    let unsent: UnsentWork
    do {
      unsent = try await store.accessQueue.run(.reading) {
        try store.syncRead { reader throws(StoreError) in
          try reader.unsentWork(at: environment.now(), options)
        }
      }
    } catch {
      // A sync says what is wrong with the store.
      return await sync([])
    }
    if let next = unsent.next, anyChange || next <= 0 { return await sync(unsent.classes) }
    note { $0.foundNothingToSend(next: unsent.next, at: $1) }
  }

  private func sync(_ classes: Set<String>) async {
    guard !Task.isCancelled else { return }
    timetable.withLock { $0.began(classes, at: now) }
    // A run of its own: an app that cancels its run, or is cancelled with it, leaves the other alone.
    let request = SyncRequest(classes: classes, adopting: adopting, isTriedAgain: true)
    // Until the timetable knows how it ended, nobody is told that there is nothing to do.
    coordinator.activity.rest(.syncing(nil))
    let run = coordinator.startSync(request, uniting: false)
    began(run)
    let ended = await run.resultOrCancelled()
    let result = ended ?? .failure(.cancelled())
    let (environment, time) = (coordinator.environment, coordinator.environment.now())
    failure.withLock { $0 = result.failure(at: time) }
    let ending = SyncEnding(result, at: time)
    timetable.withLock { table in
      table.ended(classes, ending, at: now, chance: environment.chance())
    }
    if case .success(let report) = result {
      await noteAsked(classes.subtracting(report.leftOutClasses), at: time)
    }
  }

  /// The activity until the next step, at a time or at none.
  private func activity(until time: Double?) -> SyncState.Activity {
    let next = time.map { coordinator.environment.now().adding(.seconds($0 - now)) }
    guard let failure = failure.withLock(\.self) else { return .idle(nextSync: next) }
    return next.map { .waiting(until: $0, because: failure) } ?? .paused(because: failure)
  }
}

extension Result<SyncReport, SyncError> {
  /// Why a sync failed; nil for one that ended well, or that was cancelled.
  fileprivate func failure(at time: Timestamp) -> SyncState.Failure? {
    guard case .failure(let error) = self, error.code != .cancelled else { return nil }
    return SyncState.Failure(error, at: time)
  }
}

extension SyncLoop {
  // MARK: Classes with intervals of their own

  /// How many seconds ago each of these classes was asked for, as far as the store knows.
  private func agesOfClasses() async -> [String: Double] {
    guard !schedule.intervals.isEmpty else { return [:] }
    let (store, now) = (coordinator.syncStore, coordinator.environment.now())
    let asked = try? await store.accessQueue.run(.reading) {
      try store.syncRead { reader throws(StoreError) in try reader.state(.askedAt) }
    }
    return (asked ?? [:]).mapValues { now.seconds(after: $0) }
  }

  /// Notes for a later process that a sync asked for classes; without the note, it asks once more.
  private func noteAsked(_ classes: Set<String>, at time: Timestamp) async {
    let own = classes.filter { schedule.intervals[$0] != nil }
    guard !own.isEmpty else { return }
    let store = coordinator.syncStore
    try? await store.accessQueue.run(.writing) {
      try store.sync(.normal) { transaction throws(StoreError) in
        try transaction.change(.askedAt) { asked in for name in own { asked[name] = time } }
      }
    }
  }
}
