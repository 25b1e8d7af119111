// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

@testable import FerryPlanning

// Entries in each state, and what can happen to them.
extension OutboxTransitionsTests {
  private static func entry(_ events: (inout OutboxEntry) -> Void...) -> OutboxEntry {
    var entry = OutboxEntry(editing: row, foldedThrough: .start)
    entry.overwrite(["f": 0])
    for event in events { event(&entry) }
    return entry
  }

  private static func created(_ events: (inout OutboxEntry) -> Void...) -> OutboxEntry {
    var new = row
    new.createdAt = nil
    new.version = nil
    var entry = OutboxEntry(creating: new, foldedThrough: .start)
    for event in events { event(&entry) }
    return entry
  }

  private static func deleted(_ events: (inout OutboxEntry) -> Void...) -> OutboxEntry {
    var entry = OutboxEntry(deleting: row, foldedThrough: .start)
    for event in events { event(&entry) }
    return entry
  }

  private static func send(
    _ kind: OutboxEntry.Kind = .update, _ sent: Fields = ["f": 1]
  ) -> (inout OutboxEntry) -> Void {
    { $0.begin(Attempt(kind: kind, sent: sent, token: .start, startedAt: time), clientKey: "k") }
  }

  private static func timeOut(_ entry: inout OutboxEntry) { entry.lose(timedOut: true) }
  private static func fail(_ entry: inout OutboxEntry) { entry.lose(timedOut: false) }
  private static func block(_ entry: inout OutboxEntry) { _ = entry.wait(in: blocked) }

  /// The server shows `remote`, and the row holds `current`.
  private static func present(
    _ remote: Fields, _ current: Fields? = ["f": 1]
  ) -> (inout OutboxEntry) -> Bool {
    {
      $0.resolvePresent(version: version, createdAt: time, remote: remote, current: current)
    }
  }

  private static func acknowledge(_ current: Fields? = ["f": 1]) -> (inout OutboxEntry) -> Bool {
    { $0.acknowledge(answer: [:], version: version, createdAt: time, current: current) }
  }

  /// An earlier attempt may still run, and the newest state was acknowledged since.
  private static func watched() -> OutboxEntry {
    entry(
      send(), timeOut, { _ = present(["f": 0])(&$0) }, send(), { _ = acknowledge()(&$0) })
  }

  private static func join(_ changed: Set<String>) -> (inout OutboxEntry) -> Bool {
    { $0.join(changed, onto: ["f": 1], version: version, isConfirmed: false) }
  }

  /// Ready, with an earlier attempt that may still run.
  private static func late() -> OutboxEntry {
    entry(send(), timeOut, { _ = present(["f": 0])(&$0) })
  }

  /// The app edits the record.
  private static func wake(_ entry: inout OutboxEntry) -> Bool {
    var draft = ChangeFolding.Draft(entry)
    draft.wake(at: .start)
    entry = draft.entry
    return false
  }

  /// The app edits the record after an attempt began.
  private static func editMeanwhile(_ entry: inout OutboxEntry) {
    var draft = ChangeFolding.Draft(entry)
    draft.wake(at: HistoryToken(rawValue: 1))
    entry = draft.entry
  }

  /// The app sets the field back to what the server holds.
  private static func reconcile(_ entry: inout OutboxEntry) -> Bool {
    var current = row
    current.fields = ["f": 0]
    var draft = ChangeFolding.Draft(entry)
    let isLeft = draft.reconcile(on: current)
    entry = draft.entry
    return !isLeft
  }

  private static func refuse(_ refusal: Refusal) -> (inout OutboxEntry) -> Bool {
    {
      $0.refuse(refusal)
      return false
    }
  }

  private static func postpone(_ entry: inout OutboxEntry) -> Bool {
    entry.postpone()
    return false
  }

  private static func retry(_ entry: inout OutboxEntry) -> Bool {
    entry.retry()
    return false
  }

  /// The app deletes the row while its create is under way.
  private static func takeBackCreate(_ entry: inout OutboxEntry) {
    var draft = ChangeFolding.Draft(entry)
    _ = draft.delete(row)
    entry = draft.entry
  }

  /// The app inserts the record again while its delete is under way.
  private static func takeBackDelete(_ entry: inout OutboxEntry) {
    var draft = ChangeFolding.Draft(entry)
    draft.bringBack()
    entry = draft.entry
  }

  private static func confirm(_ shown: Fields, at listing: Timestamp) -> Event {
    {
      $0.confirm(
        remote: shown, createdAt: time, listingStartedAt: listing,
        maximumRequestDuration: duration)
    }
  }

  private static func confirmAbsent(_ current: Fields?, at listing: Timestamp) -> Event {
    {
      $0.confirmAbsent(
        listingStartedAt: listing, maximumRequestDuration: duration, current: current)
    }
  }

  static var edges: [Edge] { resting + underWay + inDoubt }

  /// From ready, blocked and parked.
  private static var resting: [Edge] {
    let parked = entry(send(), { _ = refuse(refusal)(&$0) })
    let undecided = entry(send(), timeOut, { _ = refuse(undecidable)(&$0) })
    var edges: [Edge] = []
    for (from, entry, late) in [
      ("ready", entry(), late()),
      (
        "blocked", entry(block),
        {
          var late = late(); block(&late); return late
        }()
      ),
    ] {
      edges += [
        Edge(from, "begin", "sending", entry) {
          send()(&$0); return false
        },
        Edge(from, "wait", "blocked", entry) {
          !$0.wait(in: .blocked(by: .notFound))
        },
        Edge(from, "wait", "parked", entry) { !$0.wait(in: .parked(refusal)) },
        Edge(from, "refuse", "parked", entry, refuse(refusal)),
        Edge(from, "join", "done", entry, join([])),
        Edge(from, "join", "confirming", late, join([])),
      ]
    }
    let parkedLate = {
      var entry = late(); send()(&entry); entry.refuse(refusal); return entry
    }()
    return edges + [
      Edge("parked", "join", "done", parked, join([])),
      Edge("parked", "join", "confirming", parkedLate, join([])),
      Edge("parked", "join", "ready", parked, join(["f", "g"])),
      Edge("blocked", "meet", "ready", entry(block)) {
        $0.meet(version); return false
      },
      Edge("blocked", "wake", "ready", entry(block), wake),
      Edge("confirming", "wake", "ready", watched(), wake),
      Edge("parked", "wake", "ready", parked, wake),
      Edge("parked", "wake", "in doubt", undecided, wake),
      Edge("ready", "reconcile", "done", entry(), reconcile),
      Edge("ready", "reconcile", "confirming", late(), reconcile),
      Edge("parked", "retry", "ready", parked, retry),
      Edge("parked", "retry", "in doubt", undecided, retry),
    ]
  }

  /// From sending.
  private static var underWay: [Edge] {
    let sending = entry(send())
    let create = created(send(.create), takeBackCreate)
    let delete = deleted(send(.delete, [:]), takeBackDelete)
    return [
      Edge("sending", "acknowledge", "done", sending, acknowledge()),
      Edge("sending", "acknowledge", "ready", sending, acknowledge(["f": 2])),
      Edge(
        "sending", "acknowledge", "confirming",
        {
          var entry = late(); send()(&entry); return entry
        }(),
        acknowledge()),
      Edge("sending", "lose", "in doubt", sending) {
        timeOut(&$0); return false
      },
      Edge("sending", "recover", "in doubt", sending) {
        $0.recover(); return false
      },
      Edge("sending", "postpone", "ready", sending, postpone),
      Edge("sending", "postpone", "confirming", create, postpone),
      Edge("sending", "postpone", "in doubt", delete, postpone),
      Edge("sending", "refuse", "parked", sending, refuse(refusal)),
      Edge("sending", "refuse", "ready", entry(send(), editMeanwhile), refuse(refusal)),
      Edge("sending", "refuse", "confirming", create, refuse(refusal)),
      Edge("sending", "refuse", "in doubt", delete, refuse(refusal)),
    ]
  }

  /// From in doubt and confirming.
  private static var inDoubt: [Edge] {
    let lost = entry(send(), timeOut)
    let create = created(send(.create), fail)
    return [
      Edge("in doubt", "resolvePresent", "done", lost, present(["f": 1])),
      Edge("in doubt", "resolvePresent", "ready", lost, present(["f": 0])),
      Edge(
        "in doubt", "resolvePresent", "confirming",
        {
          var entry = late(); send()(&entry); timeOut(&entry); return entry
        }(), present(["f": 1])),
      Edge("in doubt", "resolveAbsent", "done", deleted(send(.delete, [:]), fail)) {
        $0.resolveAbsent()
      },
      Edge(
        "in doubt", "resolveAbsent", "confirming",
        created(send(.create), timeOut, takeBackCreate)
      ) { $0.resolveAbsent() },
      Edge("in doubt", "resolveAbsent", "ready", create) { $0.resolveAbsent() },
      Edge("in doubt", "resolveAbsent", "parked", create) {
        $0.failures.add(isShared: false, at: time)
        return $0.resolveAbsent(attemptLimit: 1)
      },
      Edge("in doubt", "refuse", "parked", lost, refuse(undecidable)),
      Edge("in doubt", "refuse", "in doubt", entry(send(), fail, editMeanwhile), refuse(refusal)),
      Edge("in doubt", "yieldID", "ready", create) {
        $0.yieldID()
        return false
      },
      Edge("confirming", "confirm", "done", watched(), confirm(["f": 1], at: later)),
      Edge("confirming", "confirm", "confirming", watched(), confirm(["f": 1], at: time)),
      Edge("confirming", "confirm", "ready", overtaken, confirm(["f": 1], at: time)),
      Edge("confirming", "confirmAbsent", "done", watched(), confirmAbsent(nil, at: later)),
      Edge(
        "confirming", "confirmAbsent", "confirming", watched(), confirmAbsent(["f": 1], at: time)),
      Edge("confirming", "confirmAbsent", "ready", deletedLate, confirmAbsent(["f": 1], at: time)),
    ]
  }

  /// A first attempt sent 1 and may still run; a later one with 2 was acknowledged.
  private static var overtaken: OutboxEntry {
    entry(
      send(), timeOut, { _ = present(["f": 0], ["f": 2])(&$0) }, send(.update, ["f": 2]),
      { _ = acknowledge(["f": 2])(&$0) })
  }

  /// A delete may still run, and the app has inserted the record again since.
  private static var deletedLate: OutboxEntry {
    deleted(
      send(.delete, [:]), timeOut, takeBackDelete, { _ = present(["f": 1])(&$0) })
  }
}
