// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

@testable import FerryPlanning

/// All states that an entry can reach by the events of app and engine.
///
/// The record has one field, its values are few, and an entry has at most two attempts at a time.
struct OutboxWalk {
  typealias Entries = OutboxTransitionsTests

  /// An entry, and the field of its row; nil where there is no row.
  struct Place {
    var entry: OutboxEntry
    var row: Fields?
  }

  /// The places reached, by all that tells them apart.
  private(set) var places: [String: Place] = [:]
  /// From, event, to.
  private(set) var edges = Set<[String]>()
  private var waiting: [Place] = []

  init() {
    var new = Entries.row
    (new.createdAt, new.version) = (nil, nil)
    var edited = OutboxEntry(editing: Entries.row, foldedThrough: .start)
    edited.overwrite(["f": 0])
    reach(Place(entry: OutboxEntry(creating: new, foldedThrough: .start), row: ["f": 1]))
    reach(Place(entry: edited, row: ["f": 1]))
    reach(Place(entry: OutboxEntry(deleting: Entries.row, foldedThrough: .start), row: nil))
    while let place = waiting.popLast() {
      goOn(as: place)
      send(place)
      lookUp(place)
      importRecord(place)
    }
  }

  // MARK: Steps

  private mutating func reach(_ place: Place) {
    let place = place.canonical
    guard places.updateValue(place, forKey: place.key) == nil else { return }
    waiting.append(place)
  }

  /// Walks an event, and returns the entry behind it; nil where the entry is done.
  @discardableResult
  private mutating func walk(
    _ event: String, from place: Place, row: Fields?? = nil, reaches: Bool = true,
    _ change: (inout OutboxEntry) -> Bool
  ) -> Place? {
    var next = place
    if let row { next.row = row }
    let isDone = change(&next.entry)
    edges.insert([place.name, event, isDone ? "done" : next.name])
    guard !isDone else { return nil }
    if reaches { reach(next) }
    return next
  }

  // MARK: The app

  private mutating func goOn(as place: Place) {
    if place.row == nil {
      for value in [Value.integer(0), 1] {
        fold(place, into: ["f": value]) { draft in
          draft.bringBack(as: ["f": value], merged: [])
          return true
        }
      }
      return
    }
    for value in [Value.integer(0), 1] where place.row?["f"] != value {
      let old: Fields = ["f": place.row?["f"] ?? .null]
      fold(place, into: ["f": value]) { draft in
        draft.edit(old: old)
        return true
      }
    }
    fold(place, into: nil) { $0.delete(place.record) }
  }

  private mutating func fold(
    _ place: Place, into row: Fields?, _ edit: (inout ChangeFolding.Draft) -> Bool
  ) {
    var draft = ChangeFolding.Draft(place.entry)
    guard edit(&draft) else { return }
    let edited = Place(entry: draft.entry, row: row)
    let isWhole = draft.hasWholeBase
    let woken = walk("wake", from: edited, reaches: false) { entry in
      draft.wake(at: HistoryToken(rawValue: 2))
      entry = draft.entry
      return false
    }
    guard let woken else { return }
    walk("reconcile", from: woken) { entry in
      var draft = ChangeFolding.Draft(entry)
      draft.hasWholeBase = isWhole
      let isLeft = draft.reconcile(on: row.map { _ in woken.record })
      entry = draft.entry
      return !isLeft
    }
  }

  // MARK: Sending

  private mutating func send(_ place: Place) {
    let entry = place.entry
    if entry.mayMove {
      if entry.attempts.count < 2, let attempt = place.attempt {
        walk("begin", from: place) {
          $0.begin(attempt, clientKey: "k")
          return false
        }
      }
      walk("wait", from: place) { !$0.wait(in: .blocked(by: .newerVersion)) && false }
      walk("wait", from: place) { !$0.wait(in: .parked(Entries.refusal)) && false }
      walk("refuse", from: place) { Self.refuse(&$0, .refused) }
    }
    if case .parked = entry.state {
      walk("retry", from: place) {
        $0.retry()
        return false
      }
    }
    walk("sendAgain", from: place) { !$0.sendAgain() && false }
    guard entry.state == .sending else { return }
    walk("acknowledge", from: place) {
      $0.acknowledge(
        answer: [:], version: Entries.version, createdAt: Entries.time, current: place.row)
    }
    for timedOut in [true, false] {
      walk("lose", from: place) {
        $0.lose(timedOut: timedOut)
        return false
      }
    }
    walk("recover", from: place) {
      $0.recover()
      return false
    }
    walk("postpone", from: place) {
      $0.postpone()
      return false
    }
    walk("refuse", from: place) { Self.refuse(&$0, .refused) }
  }

  private static func refuse(_ entry: inout OutboxEntry, _ reason: Refusal.Reason) -> Bool {
    entry.refuse(Refusal(reason: reason, message: "no"))
    return false
  }

  // MARK: Lookups

  private static let shown: [Fields] = [[:], ["f": 0], ["f": 1], ["f": 9]]

  private mutating func lookUp(_ place: Place) {
    let entry = place.entry
    if entry.state == .confirming {
      for listing in [Entries.time, Entries.later] {
        for remote in Self.shown { confirm(place, remote, at: listing, isLookup: true) }
        walk("confirmAbsent", from: place) {
          $0.confirmAbsent(
            listingStartedAt: listing, maximumRequestDuration: Entries.duration,
            duplicatesSought: true, current: place.row)
        }
      }
    }
    guard entry.state == .inDoubt else { return }
    for remote in Self.shown { present(place, remote) }
    for limit in [1, Int.max] {
      walk("resolveAbsent", from: place) {
        $0.failures.add(isShared: false, at: Entries.time)
        return $0.resolveAbsent(attemptLimit: limit)
      }
    }
    let reason: Refusal.Reason = entry.kind == .create ? .undecidable : .noPermission
    if entry.kind == .create || entry.kind == .update {
      walk("refuse", from: place) { Self.refuse(&$0, reason) }
    }
    guard entry.kind == .create else { return }
    // Another record has a value that has to be unique.
    walk("refuse", from: place) { Self.refuse(&$0, .refused) }
    // A row whose delete is in doubt has the only record of its id.
    guard !entry.hasUnresolvedDelete else { return }
    walk("yieldID", from: place) {
      $0.yieldID()
      return false
    }
  }

  private mutating func present(_ place: Place, _ remote: Fields) {
    walk("resolvePresent", from: place) {
      $0.resolvePresent(
        version: Entries.version, createdAt: Entries.time, remote: remote, current: place.row)
    }
  }

  @discardableResult
  private mutating func confirm(
    _ place: Place, _ remote: Fields, at listing: Timestamp, isLookup: Bool
  ) -> Place? {
    walk("confirm", from: place, reaches: isLookup) {
      $0.confirm(
        remote: remote, createdAt: Entries.time, listingStartedAt: listing,
        maximumRequestDuration: Entries.duration, duplicatesSought: isLookup)
    }
  }

  // MARK: Imports

  private mutating func importRecord(_ place: Place) {
    let entry = place.entry
    guard entry.state != .sending else { return }
    switch entry.kind {
    case .create, .deleteAfterCreate:
      for remote in Self.shown where entry.state != .inDoubt { present(place, remote) }
    case .update:
      for remote in Self.shown {
        for policy in [ConflictPolicy.remoteWins, .localWins] { merge(place, remote, policy) }
      }
      // Another device created the record anew.
      if entry.state != .inDoubt { walk("resolveAbsent", from: place) { $0.resolveAbsent() } }
    case .delete:
      for remote in Self.shown { meetDelete(place, remote) }
    }
  }

  private mutating func merge(_ place: Place, _ remote: Fields, _ policy: ConflictPolicy) {
    guard place.row != nil else { return }
    var place = place
    if place.entry.state == .confirming || place.entry.mayStillCommit {
      guard let confirmed = confirm(place, remote, at: Entries.later, isLookup: false) else {
        return
      }
      place = confirmed
    }
    let entity = Entity("Game", fields: [Field("f", .integer)])
    let outcome = ThreeWayMerge(entity: entity, policy: policy)
      .merge(place.entry, row: place.record, remote: [remote["f"] ?? .null], acl: .null)
    let row: Fields = ["f": outcome.values[0]]
    walk("join", from: place, row: row) {
      $0.join(outcome.changed, onto: remote, version: Entries.version, isConfirmed: false)
    }
  }

  private mutating func meetDelete(_ place: Place, _ remote: Fields) {
    var place = place
    if place.entry.state == .confirming {
      guard let confirmed = confirm(place, remote, at: Entries.later, isLookup: false) else {
        return
      }
      place = confirmed
    } else if !place.entry.isRemoteUnchanged("f", remote["f"] ?? .null) {
      walk("persist", from: place) {
        $0.persist(onto: remote, version: Entries.version)
        return false
      }
      walk("takingBackDelete", from: place, row: remote) {
        $0 = $0.takingBackDelete()
        return $0.changed.isEmpty
      }
      return
    }
    walk("meet", from: place) {
      $0.meet(Entries.version)
      return false
    }
  }
}
