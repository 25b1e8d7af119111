// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning

extension World {
  /// A day whose last sync meets every kind of work.
  ///
  /// The sync imports new, changed and deleted records. It merges an edit, loses one to a conflict and one to a
  /// deletion, and looks up a create whose answer was lost. It sends creates that point to each other, edits, and deletes.
  ///
  /// - Parameter settings: The settings of both devices and of the server.
  /// - Returns: A world of two devices, in which nothing else goes wrong.
  public static func workingDay(_ settings: WorldSettings = WorldSettings()) -> World {
    var settings = settings
    settings.deviceCount = 2
    // Many requests of one record may fail, and none shall be parked for them.
    settings.sync.attemptLimit = 1000
    return World(
      seed: 1, settings: settings, classes: workingDayClasses, given: workingDayRows,
      events: unansweredCreate + workOfOthers + workOfApp + [.sync(0, .all, .rolling, [])])
  }

  /// The days into which failures are injected: of a plain server, and of one with all options.
  public static var workingDays: [World] {
    var settings = WorldSettings()
    settings.allowsCustomIDs = true
    settings.localWins = true
    settings.editWins = true
    settings.maxLimit = 2
    return [.workingDay(), .workingDay(settings)]
  }

  /// Edits by another client after the day, one in each class.
  static let editsOfOthersAfterWorkingDay: [Event] = [
    .edit(.client, .set("t1", [WorldClass.Name.score: .number(70)])),
    .edit(.client, .set("g7", [WorldClass.Name.score: .number(77)])),
    .edit(.client, .set("n4", [WorldClass.Name.score: .number(78)])),
  ]

  /// The app goes on with the rows that the last sync of the day sent.
  static let editsAfterWorkingDay: [Event] = [
    .edit(.app(0), .set("g1", [WorldClass.Name.note: .text("A71")])),
    .edit(.app(0), .set("g8", [WorldClass.Name.score: .number(72)])),
    .edit(.app(0), .delete("g9")),
    .edit(.app(0), .set("n2", [WorldClass.Name.note: .text("A73")])),
  ]

  /// Another client works on the rows of the last sync of the day.
  static let editsOfOthersInSync: [Event] = [
    .edit(.client, .set("g1", [WorldClass.Name.note: .text("c74")])),
    .edit(.client, .set("g4", [WorldClass.Name.score: .number(75)])),
    .edit(.client, .delete("g1")),
    .edit(.client, .set("n2", [WorldClass.Name.score: .number(-76)])),
  ]

  /// The app takes back what the last sync of the day sent.
  static let editsTakenBackAfterWorkingDay: [Event] = [
    .edit(.app(0), .set("g1", [WorldClass.Name.note: .empty])),
    .edit(.app(0), .delete("g8")),
    .edit(.app(0), .set("n2", [WorldClass.Name.score: .number(22)])),
  ]

  private static var workingDayClasses: [WorldClass] {
    let team = WorldClass(name: "Team")
    let game = WorldClass(name: "Game", pointers: [("home", "Team"), ("next", "Game")])
    let note = WorldClass(
      name: "Note", isFiltered: true, deletions: .softDelete(field: WorldClass.Name.flag))
    return [team, game, note]
  }

  private static var workingDayRows: [Edit] {
    [row("t1", "Team", 1), row("t2", "Team", 2)]
      + (1...5).map { row("g\($0)", "Game", 10 + $0, ["home": .row("t1")]) }
      + (1...3).map { row("n\($0)", "Note", 20 + $0) }
  }

  /// The device does not learn that the server made its row.
  private static var unansweredCreate: [Event] {
    [
      .edit(.app(0), row("g6", "Game", 30, ["home": .row("t2")])),
      .sync(
        0, .only(.postCreated), .rolling,
        [Interruption(moment: 0, act: .fate(.losesItsAnswer))]),
      .edit(.app(0), .set("g6", [WorldClass.Name.note: .text("A31")])),
    ]
  }

  private static var workOfOthers: [Event] {
    [
      .edit(.app(1), row("t3", "Team", 40)),
      .edit(.app(1), row("g7", "Game", 41, ["home": .row("t3")])),
      .edit(.app(1), .set("g1", [WorldClass.Name.score: .number(42)])),
      .edit(.app(1), .delete("g2")),
      .edit(.app(1), .delete("n1")),
      .sync(1, .all, .rolling, []),
      .edit(.client, .set("g3", [WorldClass.Name.score: .number(43)])),
      .edit(.client, .set("n2", [WorldClass.Name.note: .text("c44")])),
      .edit(.client, row("n4", "Note", 45)),
      .edit(.app(1), .set("g5", [WorldClass.Name.note: .text("B46")])),
      .edit(.client, .delete("g5")),
    ]
  }

  private static var workOfApp: [Event] {
    [
      .edit(.app(0), row("t4", "Team", 50)),
      .edit(.app(0), row("g8", "Game", 51, ["home": .row("t4")])),
      .edit(.app(0), row("g9", "Game", 52, ["next": .row("g8"), "home": .row("t1")])),
      .edit(.app(0), .set("g1", [WorldClass.Name.note: .text("A53")])),
      .edit(.app(0), .set("g2", [WorldClass.Name.score: .number(54)])),
      .edit(.app(0), .set("g3", [WorldClass.Name.score: .number(55)])),
      .edit(.app(0), .set("n2", [WorldClass.Name.score: .number(56)])),
      .edit(.app(0), .set("g5", [WorldClass.Name.score: .number(57)])),
      .edit(.app(0), .delete("g4")),
      .edit(.app(0), .delete("n3")),
    ]
  }

  private static func row(
    _ name: String, _ className: String, _ score: Int, _ fields: [String: Content] = [:]
  ) -> Edit {
    .insert(
      name, className: className,
      fields.merging(
        [WorldClass.Name.title: .text(name), WorldClass.Name.score: .number(score)],
        uniquingKeysWith: { $1 }))
  }
}
