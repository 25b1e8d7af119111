// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP

/// The reactions within the syncs of a tick, at moments that are still to come.
struct Schedule: Sendable {
  /// Something that just happened within a sync.
  enum Event: Sendable {
    case leaving(RequestContent)
    case answered(RequestContent, HTTPResponse)
    case imported(Set<String>)
    case waiting
  }

  /// A reaction to a moment.
  enum Reaction: Sendable {
    case act(Actor, Step)
    case kill(device: String)
    case fate(Fate)
  }

  private struct Item: Sendable {
    var moment: Moment
    var reaction: Reaction
    var place: Place
    var seen = 0
    var isMet = false
  }

  private var items: [Item] = []

  mutating func add(_ reaction: Reaction, at moment: Moment, _ place: Place) {
    items.append(Item(moment: moment, reaction: reaction, place: place))
  }

  /// A fate is met when its request leaves, or, where it is one of the answer, when that comes.
  mutating func add(_ fate: Fate, of pattern: RequestPattern, _ place: Place) {
    guard fate != .passes else { return }
    add(.fate(fate), at: fate.isOfAnswer ? .isDone(pattern) : .leaves(pattern), place)
  }

  /// The reactions that are due at an event.
  mutating func due(at event: Event, ids: (String) -> Set<String>) -> [(Reaction, Place)] {
    var due: [(Reaction, Place)] = []
    for index in items.indices where items[index].moment.happens(at: event, ids: ids) {
      items[index].seen += 1
      let isDue =
        switch items[index].moment.occurrence {
        case .from(let number): items[index].seen >= number
        case .nth(let number): items[index].seen == number
        }
      guard isDue else { continue }
      items[index].isMet = true
      due.append((items[index].reaction, items[index].place))
    }
    return due
  }

  /// The names of the rows that its moments are about.
  var names: [String] { items.compactMap(\.moment.name) }

  /// The moments that never came.
  var missed: [(moment: Moment, place: Place)] {
    items.filter { !$0.isMet }.map { ($0.moment, $0.place) }
  }
}

extension Fate {
  /// Whether it concerns the answer, after the server has carried the request out.
  fileprivate var isOfAnswer: Bool {
    switch self {
    case .losesItsAnswer, .isDoneButAnswered, .isReworded, .takes, .date: true
    case .passes, .isLost, .isDelayed, .losesItsConnection, .cannotConnect, .isAnswered: false
    }
  }
}

extension Moment {
  fileprivate var occurrence: RequestPattern.Occurrence {
    switch self {
    case .leaves(let pattern), .isDone(let pattern): pattern.occurrence
    case .isImported, .waits: .nth(1)
    }
  }

  fileprivate func happens(at event: Schedule.Event, ids: (String) -> Set<String>) -> Bool {
    switch (self, event) {
    case (.leaves(let pattern), .leaving(let content)):
      content.matches(pattern, ids: pattern.ids(ids))
    case (.isDone(let pattern), .answered(let content, let response)):
      content.isDone(pattern, ids: pattern.ids(ids), response)
    case (.isImported(let className), .imported(let classNames)): classNames.contains(className)
    case (.waits, .waiting): true
    case (.leaves, _), (.isDone, _), (.isImported, _), (.waits, _): false
    }
  }

  /// The row it is about, where it is about one.
  fileprivate var name: String? {
    switch self {
    case .leaves(let pattern), .isDone(let pattern):
      if case .row(let name) = pattern.subject { name } else { nil }
    case .isImported, .waits: nil
    }
  }

  /// As the story says it.
  var text: String {
    switch self {
    case .leaves(let pattern): "\(pattern.text) leaves"
    case .isDone(let pattern): "\(pattern.text) is done"
    case .isImported(let className): "\(className) is imported"
    case .waits: "it waits"
    }
  }
}

extension RequestPattern {
  fileprivate func ids(_ ids: (String) -> Set<String>) -> Set<String> {
    if case .row(let name) = subject { ids(name) } else { [] }
  }
}
