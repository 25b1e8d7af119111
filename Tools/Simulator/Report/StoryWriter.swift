// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning

/// Writes what happened in a world as a story in the notation of `Fixtures/scenarios`.
///
/// A story cannot say everything that a world can. Its notation has no words for tables, columns, defaults and relations,
/// nor for conditions that "and" does not join. A comment names those of each class; a story that is played with the app's
/// schema, without the section `schema`, has them. A truncated answer becomes a lost one, a request that
/// arrives twice a delayed one, and what happens at a commit happens at the next request instead. Two programs
/// of a device become one.
struct StoryWriter {
  let world: World
  let tale: Tale
  private var lines: [String] = []

  init(_ world: World, _ tale: Tale) {
    self.world = world
    self.tale = tale
  }

  /// The story.
  static func story(of world: World, _ tale: Tale, title: String) -> String {
    var writer = StoryWriter(world, tale)
    writer.write(title)
    return writer.lines.joined(separator: "\n") + "\n"
  }

  private var letters: [String] { (0..<world.settings.deviceCount).map(Writer.letter) }

  private mutating func write(_ title: String) {
    lines += ["story S0: \(title) (seed \(world.seed))", "", "options \(options)", "schema"]
    lines += world.classes.flatMap(\.storyLines).map { "  " + $0 }
    lines += ["given"] + world.given.map { "  " + $0.text.dropFirst("insert ".count) }
    let titles = [row { $0 }, row { _ in "-" }]
    lines += [""] + titles
    for made in world.classes where made.isPrivateByRule {
      writeRow { $0 == "server" ? "new \(made.name) is private" : "" }
    }
    for (number, letter) in letters.enumerated() {
      guard let owner = world.settings.owner(of: number) else { break }
      writeRow { $0 == letter ? "log in as \(owner.rawValue); sync" : "" }
    }
    let letters = letters
    if let trigger = world.settings.trigger?.sql(in: world) {
      writeRow { letters.contains($0) ? "sql \(trigger)" : "" }
    }
    for part in tale.parts { write(part) }
    if tale.hasOtherDeclarations {
      let reopening = reopening
      writeRow { letters.contains($0) ? reopening : "" }
    }
    for round in 1...3 {
      lines.append("|--- 10 min later ---|")
      let text = round < 3 ? "sync" : "sync comparing everything"
      writeRow { letters.contains($0) ? text : "" }
    }
    lines += ["", "expect", "  A: nothing pending"]
  }

  /// A program with all fields starts, after one without some.
  private var reopening: String { Declaration.present.steps(in: world.classes) }

  // MARK: Settings and classes

  private var options: String {
    let settings = world.settings
    var options = [
      settings.allowsCustomIDs ? "only custom ids" : "only server ids", "attempts 1000",
    ]
    if settings.localWins { options.append("local wins") }
    if settings.editWins { options.append("edit wins") }
    if settings.trigger != nil { options.append("only sqlite") }
    if settings.brokenBatch { options.append("broken batch") }
    if let limit = settings.maxLimit { options.append("max limit \(limit)") }
    if settings.sync.pageSize != 1000 { options.append("page size \(settings.sync.pageSize)") }
    if settings.sync.batchSize != 50 { options.append("batch size \(settings.sync.batchSize)") }
    if settings.sync.overlap != .seconds(90) { options.append("overlap 300 s") }
    let comparison = settings.sync.overlapComparison
    if comparison.leastRows < 1000 {
      options.append("compared rows \(comparison.leastRows)")
      options.append("margin \(comparison.margin / .seconds(1)) s")
    }
    return options.joined(separator: ", ")
  }

  // MARK: Events

  private var columns: [String] {
    letters + ["client"] + (hasServer ? ["server"] : []) + ["network"]
  }

  private var hasServer: Bool {
    let settings = world.settings
    return settings.hasUsers || settings.hasClassRights || settings.hasSchemaChanges
  }

  private func row(_ cell: (String) -> String) -> String {
    "| " + columns.map(cell).joined(separator: " | ") + " |"
  }

  private mutating func writeRow(_ cell: (String) -> String) { lines.append(row(cell)) }

  private mutating func write(_ part: Tale.Part) {
    switch part {
    case .event(.pass(let seconds)): lines.append("|--- \(seconds) s later ---|")
    case .event(let event):
      let (column, text) = step(event)
      writeRow { $0 == column ? text : "" }
    case .sync(let sync): write(sync)
    }
  }

  private mutating func write(_ sync: Tale.Sync) {
    var cells: [String: [String]] = [:]
    var scope = ""
    var hasFollower = false
    switch sync.selection {
    case .all: break
    case .only(let stage): scope += " only \(stage.rawValue)"
    case .through(let stage): scope += " through \(stage.rawValue)"
    }
    if let classes = sync.classes {
      let names = classes.isEmpty ? "nothing" : classes.sorted().joined(separator: " and ")
      scope += " asking for \(names)"
    }
    if sync.comparison == .everything { scope += " comparing everything" }
    for (moment, happening) in sync.happenings {
      switch happening {
      case .kill: scope += ", killed when \(point(moment, of: sync))"
      case .fate(let fate):
        cells["network", default: []].append("\(request(moment, of: sync)) \(fate.text)")
      // Another program of the device syncs after the kill.
      case .sync(sync.device): hasFollower = true
      case .sync(let other):
        cells[Writer.letter(of: other), default: []]
          .append("when \(point(moment, of: sync)): sync")
      case .event(let event):
        let (column, text) = step(event)
        cells[column, default: []].append("when \(point(moment, of: sync)): \(text)")
      }
    }
    cells[Writer.letter(of: sync.device), default: []]
      .insert((sync.words ?? "sync") + scope, at: 0)
    writeRow { cells[$0]?.joined(separator: "; ") ?? "" }
    if hasFollower { writeRow { $0 == Writer.letter(of: sync.device) ? "sync" : "" } }
  }

  /// The column and the words of an event.
  private func step(_ event: Event) -> (String, String) {
    switch event {
    case .edit(_, .allow(let row, let access)): ("server", "\(row) \(access.text)")
    case .edit(let writer, let edit): (writer.text, edit.text)
    case .relate(let writer, let edit): (writer.text, edit.text)
    case .decide(let device, let decision): (Writer.letter(of: device), decision.text)
    case .reopen(let device):
      (Writer.letter(of: device), tale.hasOtherDeclarations ? reopening : "reopen")
    case .reopenOlder(let device):
      (Writer.letter(of: device), Declaration.older.steps(in: world.classes))
    case .reopenRetyped(let device, let declaration):
      (Writer.letter(of: device), declaration.steps(in: world.classes))
    case .backUp(let device): (Writer.letter(of: device), "back up")
    case .goBack(let device, let other):
      (
        Writer.letter(of: device),
        "go back to the backup" + (other == device ? "" : " of \(Writer.letter(of: other))")
      )
    case .setClock(let device, let days):
      (Writer.letter(of: device), "clock \(abs(days)) days \(days < 0 ? "behind" : "ahead")")
    case .renumber(let device):
      (
        Writer.letter(of: device),
        "sql " + world.classes.flatMap(\.renumbering).joined(separator: "; ")
      )
    case .failDisk(let device, let failures): (Writer.letter(of: device), "disk \(failures)")
    case .beginEdit(let edit): ("client", "\(edit.text) (slowly)")
    case .deliver: ("network", "deliver")
    case .logIn(let device, let user):
      (Writer.letter(of: device), "log in as \(user.rawValue)")
    case .logOut(let device): (Writer.letter(of: device), "log out")
    case .endSession: ("server", "sessions end")
    case .allowClass(let className, let access): ("server", access.text(className))
    case .dropField(let className):
      ("server", "\(className) loses \(world.madeClass(className)?.later ?? "")")
    case .sync, .fetch, .askAgain, .evict, .pass, .switchProgram: ("", "")
    }
  }

  // MARK: Moments

  /// The moment in words; one without words is the next request, or else the last answer.
  private func point(_ moment: Int, of sync: Tale.Sync) -> String {
    if case .answered(let request, _) = sync.moments[moment], !request.operations.isEmpty {
      return "\(self.request(moment, of: sync)) is done"
    }
    let next = sync.moments.indices.first { place in
      guard place >= moment, case .leaving(let request) = sync.moments[place] else { return false }
      return !request.operations.isEmpty
    }
    if let next { return "\(request(next, of: sync)) leaves" }
    let last = sync.moments.indices.last { place in
      guard case .answered(let request, _) = sync.moments[place] else { return false }
      return !request.operations.isEmpty
    }
    return last.map { "\(request($0, of: sync)) is done" } ?? "it begins"
  }

  /// The request of a moment, with its number among those with the same operation.
  private func request(_ moment: Int, of sync: Tale.Sync) -> String {
    guard let operation = sync.moments[moment].request?.operations.first else { return "a request" }
    let number = sync.moments[...moment].count { before in
      guard case .leaving(let request) = before else { return false }
      return request.operations.contains(operation)
    }
    switch number {
    case 0, 1: return operation.text
    case 2: return "2nd \(operation.text)"
    case 3: return "3rd \(operation.text)"
    default: return "\(number)th \(operation.text)"
    }
  }
}
