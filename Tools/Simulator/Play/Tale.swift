// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning

/// The course that a world really took, for its story.
struct Tale {
  /// Something within a sync.
  enum Happening {
    case event(Event)
    case sync(Int)
    case fate(Fate)
    case kill
  }

  /// A sync, its moments, and what happened at them.
  struct Sync {
    var device: Int
    var selection: StageSelection
    /// The classes that it asks for; nil for all.
    var classes: Set<String>?
    var comparison: SyncComparison
    /// The words of a fetch or an eviction; nil for a sync.
    var words: String?
    var moments: [Moment] = []
    var happenings: [(moment: Int, Happening)] = []
  }

  /// One thing after another.
  enum Part {
    case event(Event)
    case sync(Sync)
  }

  let chronicle = Chronicle()
  private(set) var parts: [Part] = []
  /// The syncs under way: the first is a part, and another one happens within it.
  private var open: [Sync] = []

  /// The syncs that were no part of another.
  var syncs: [Sync] {
    parts.compactMap { if case .sync(let sync) = $0 { sync } else { nil } }
  }

  /// Whether a program with other fields than the present ones worked on a store.
  var hasOtherDeclarations: Bool {
    func isOther(_ event: Event) -> Bool {
      switch event {
      case .reopenOlder, .reopenRetyped: true
      default: false
      }
    }
    return parts.contains { part in
      switch part {
      case .event(let event): isOther(event)
      case .sync(let sync):
        sync.happenings.contains {
          if case .event(let event) = $0.1 { isOther(event) } else { false }
        }
      }
    }
  }

  mutating func forget() { parts = [] }

  mutating func add(_ event: Event) {
    chronicle.note("\(event)")
    if open.isEmpty { parts.append(.event(event)) } else { add(.event(event)) }
  }

  /// Something happens at the present moment of the sync under way.
  mutating func add(_ happening: Happening) {
    if case .event = happening {} else { chronicle.note("\(happening)") }
    guard let last = open.indices.last else { return }
    open[last].happenings.append((open[last].moments.count - 1, happening))
  }

  mutating func pass(_ moment: Moment) {
    guard let last = open.indices.last else { return }
    open[last].moments.append(moment)
  }

  mutating func beginSync(
    _ device: Int, _ selection: StageSelection, _ classes: Set<String>?,
    _ comparison: SyncComparison
  ) {
    if !open.isEmpty { add(.sync(device)) }
    chronicle.note("\(Writer.letter(of: device)) syncs")
    open.append(
      Sync(device: device, selection: selection, classes: classes, comparison: comparison))
  }

  /// A fetch or an eviction begins; its end is that of a sync.
  mutating func beginRun(_ device: Int, _ text: String) {
    if !open.isEmpty { add(.sync(device)) }
    chronicle.note("\(Writer.letter(of: device)) begins to \(text)")
    open.append(Sync(device: device, selection: .all, comparison: .rolling, words: text))
  }

  mutating func endSync() {
    let ended = open.removeLast()
    if open.isEmpty { parts.append(.sync(ended)) }
  }
}
