// Ferry: offline-first sync for Parse Server. MIT licence.

/// A story's table: one column for each actor, one line for each tick.
struct StoryTable {
  private let titles: [String]
  private let place: Place

  init(title: String, at place: Place) {
    titles = Self.cells(of: title).map(\.trimmed)
    self.place = place
  }

  /// The actors, by column; always in the same order.
  func actors() throws(ScenarioError) -> [Actor] {
    var actors: [Actor] = []
    for title in titles {
      switch title {
      case "client": actors.append(.client)
      case "server": actors.append(.server)
      case "network": actors.append(.network)
      default:
        guard title.count == 1, title.first?.isUppercase == true else {
          throw ScenarioError(
            "expected a device (A, B, …), client, server or network as the title of a column, found "
              + "\"\(title)\"", at: place)
        }
        actors.append(.device(title))
      }
    }
    let order = actors.map(\.rank)
    guard zip(order, order.dropFirst()).allSatisfy(<) else {
      throw ScenarioError(
        "expected the columns in the order A, B, client, server, network, each once", at: place)
    }
    return actors
  }

  /// A line of the table; nil for the rule below the titles.
  func tick(
    _ text: String, at place: Place, _ steps: inout StepReader
  ) throws(ScenarioError) -> Tick? {
    if text.hasPrefix("|-") || text.hasPrefix("| -") { return try pause(text, at: place) }
    let actors = try self.actors()
    let texts = Self.cells(of: text)
    guard texts.count == actors.count else {
      throw ScenarioError(
        "expected \(actors.count) columns as in the line of titles, found \(texts.count)", at: place
      )
    }
    var tick = Tick(line: place.line)
    for (actor, text) in zip(actors, texts) {
      let place = Place(line: place.line, column: actor.title)
      let acts = try steps.acts(of: actor, text, at: place)
      if !acts.isEmpty { tick.cells.append(Cell(actor: actor, place: place, acts: acts)) }
    }
    return tick
  }

  /// `|--- 3 min later ---|`, or a rule.
  private func pause(_ text: String, at place: Place) throws(ScenarioError) -> Tick? {
    let words = text.drop { "|-: ".contains($0) }.reversed().drop { "|-: ".contains($0) }.reversed()
    guard !words.isEmpty else { return nil }
    var reader = PhraseReader(String(words), at: place)
    let pause = try reader.duration()
    try reader.needs("later")
    try reader.needsEnd()
    return Tick(line: place.line, pause: pause)
  }

  /// The texts between the bars, except bars in quotes.
  static func cells(of line: some StringProtocol) -> [String] {
    var cells: [String] = []
    var start: String.Index?
    var isQuoted = false
    var index = line.startIndex
    while index < line.endIndex {
      switch line[index] {
      case "\\" where isQuoted: index = line.index(after: index)
      case "\"": isQuoted.toggle()
      case "|" where !isQuoted:
        if let start { cells.append(String(line[start..<index])) }
        start = line.index(after: index)
      default: break
      }
      if index < line.endIndex { index = line.index(after: index) }
    }
    if let start, start < line.endIndex, !line[start...].trimmed.isEmpty {
      cells.append(String(line[start...]))
    }
    return cells
  }
}

extension Actor {
  /// The place of the column among the others.
  fileprivate var rank: String {
    switch self {
    case .device(let name): "0\(name)"
    case .client: "1"
    case .server: "2"
    case .network: "3"
    }
  }
}
