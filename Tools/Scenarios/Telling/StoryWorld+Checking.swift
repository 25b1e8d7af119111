// Ferry: offline-first sync for Parse Server. MIT licence.

// Whether the world is as the story says.
extension StoryWorld {
  func check(_ expectation: Expectation) throws {
    let worlds = try lines()
    let hasRows = expectation.facts.contains(where: \.isAboutRows)
    // Where a story names no rows, the devices hold what the server holds.
    let common = worlds.last?.lines.filter { $0.key.section == .row } ?? []
    for (actor, lines) in worlds {
      var expected = expectation.lines(of: actor)
      var seen = lines
      if expectation.isWhole {
        if !hasRows { expected += common }
      } else {
        let mentioned = expectation.mentions(of: actor)
        seen = seen.filter {
          mentioned.keys.contains($0.key) || mentioned.sections.contains($0.key.section)
        }
      }
      guard expected.sorted() != seen else { continue }
      throw WorldDifference(
        place: Place(line: expectation.line), actor: actor, expected: expected.sorted(),
        isWhole: expectation.isWhole)
    }
  }
}

/// An actor does not hold what the story says.
struct WorldDifference: Error {
  var place: Place
  var actor: Actor
  var expected: [WorldLine]
  var isWhole: Bool
}

extension Expectation {
  /// The lines that an actor must hold; facts of one actor go before facts of all.
  fileprivate func lines(of actor: Actor) -> [WorldLine] {
    let own = facts.filter { $0.actors.contains(actor) }
    let overridden = Set(own.compactMap(\.key))
    let common = facts.filter { fact in
      guard fact.actors.isEmpty, let key = fact.key else { return false }
      return (key.section == .row || actor != .server) && !overridden.contains(key)
    }
    return (own + common).compactMap { fact in
      if case .line(let line) = fact.statement { line } else { nil }
    }
  }

  /// The keys and sections that the facts of an actor mention.
  fileprivate func mentions(
    of actor: Actor
  ) -> (keys: Set<WorldLine.Key>, sections: Set<WorldLine.Section>) {
    let facts = facts.filter { $0.actors.isEmpty || $0.actors.contains(actor) }
    let sections = facts.compactMap { fact -> WorldLine.Section? in
      if case .nothing(let section) = fact.statement { section } else { nil }
    }
    return (Set(facts.compactMap(\.key)), Set(sections))
  }
}

extension Expectation.Fact {
  fileprivate var key: WorldLine.Key? {
    switch statement {
    case .line(let line): line.key
    case .absent(let key): key
    case .nothing: nil
    }
  }

  fileprivate var isAboutRows: Bool {
    switch statement {
    case .line(let line): line.key.section == .row
    case .absent(let key): key.section == .row
    case .nothing(let section): section == .row
    }
  }
}
