// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator

/// The options of `ferry-simulate`.
struct Options {
  /// An option that cannot be followed.
  struct Fault: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
  }

  var showsHelp = false
  /// Whether to play worlds with each seeded bug instead.
  var seedsBugs = false
  /// The seeded bugs to play; nil for all.
  var bugs: [SeededBug]?
  /// Where to write a copy of the package with all seeded bugs.
  var seededSources: String?
  /// The folder for a copy of the package with mutants; nil if none is wanted.
  var mutatedSources: String?
  /// A file with the lines that the compiler refused to see mutated.
  var refusedLines: String?
  /// Whether to inject failures instead; of all kinds unless one is named.
  var injects = false
  var kind: FaultInjection.Kind?
  /// Whether to let disks fail instead; in all ways unless one is named.
  var failsDisks = false
  var diskKind: DiskInjection.Kind?
  /// The one scenario with a failing disk; nil for all.
  var scenario: Int?
  /// The one world of a kind to play, and its day.
  var world: UInt64?
  var day: Int?
  /// Whether to inject failures at writes alone.
  var atWritesAlone = false
  /// Plays only each such world of a kind.
  var step: UInt64 = 1
  /// Whether to play the small scope instead.
  var playsSmallScope = false
  /// The most failures of each of its worlds.
  var failures = 1
  /// The most events of its courses.
  var events = SmallScope.longest
  /// The one course of it to play.
  var course: UInt64?
  /// How many cases of the planners to check instead; nil for none.
  var plannerCases: UInt64?
  /// The worlds with ledgers to play instead; nil for none.
  var ledgers: Main.LedgerKind?
  /// The one world to play.
  var seed: UInt64?
  /// The file with the schema of an app's worlds; nil for worlds with classes of their own.
  var schema: String?
  /// The fields that name rows, by class.
  var titles: [String: String] = [:]
  /// Whether to play only the worlds in which apps take edits back.
  var takesBack = false
  var hasMembers = false
  var first: UInt64?
  var count: UInt64?
  /// After how many runs of the engine to begin no further world.
  var runs = Int.max
  /// Whether to print each event, request and answer of the smallest world too.
  var tells = false
  var seconds: Double?
  var threads = 1

  static let help = """
    ferry-simulate [--schema FILE] [--seeds N] [--runs N] [--first SEED] [--seconds S] [--threads N]
                   [--taking-back]
    ferry-simulate [--schema FILE] --seed SEED [--tell]
    ferry-simulate --seeded-bugs [--only BUG] [--seeds N] [--seconds S] [--first SEED]
    ferry-simulate --write-seeded-sources FOLDER
    ferry-simulate --write-mutants FOLDER [--refusing FILE]
    ferry-simulate --inject KIND [--writes] [--day D] [--every N [--first W]] [--threads N]
    ferry-simulate --inject KIND [--writes] --world W [--day D]
    ferry-simulate --disks KIND [--scenario S] [--every N [--first W]] [--threads N]
    ferry-simulate --disks KIND --scenario S --world W
    ferry-simulate --planners CASES [--first CASE] [--threads N]
    ferry-simulate --counters|--files [--seeds N] [--first SEED] [--seconds S]
    ferry-simulate --counters|--files --seed SEED
    ferry-simulate --small-scope [--events E] [--failures F] [--every N] [--first COURSE] [--seconds S]
                   [--threads N]
    ferry-simulate --small-scope [--failures F] --course C [--world W]

      Plays worlds of devices, a server and a network in which everything goes wrong, and holds them against
      the rules of what must never happen. Exits 1 if a world breaks a rule.

      --seeds N      plays N worlds; 1000 by default
      --runs N       begins no further world after N syncs and plans
      --first SEED   begins with this seed; with a random one by default
      --seconds S    begins no further world after this time
      --threads N    plays so many worlds at a time; 1 by default
      --taking-back  plays only the worlds in which apps undo, redo, discard, retry and restore;
                     other seeds are left out
      --seed SEED    plays one world; if it breaks a rule, finds the smallest world that does, and
                     writes it as a story
      --members      plays worlds in which a class has a relation whose members the devices keep
      --schema FILE  plays worlds with the classes of that ferry.json; sends nothing to its server
      --title CLASS.FIELD
                     names the rows of a class by that text field, which worlds never change; by
                     default by the first one that no filter compares; may be repeated
      --tell         also prints each event, request and answer of that world, and what each device
                     holds after its syncs
      --inject KIND  plays the same day with one failure at each moment: statuses, transportErrors,
                     partialBatches, cuts, alterations, delays, kills, secondKills, edits, storeErrors,
                     or all
      --disks KIND   plays scenarios with one failure of a device's disk: powerLosses,
                     secondPowerLosses, refusals, or all
      --scenario S   plays this scenario alone: 0 to 23
      --every N      plays one of N worlds of a kind, or of N courses, as a sample; begins with a
                     random one of the first N, or with the one of --first
      --small-scope  plays all short courses of events of two devices and two records, each without
                     a failure and with a failure of each request
      --counters     plays worlds of numbers and sets, in which devices and another client add; with --seed,
                     prints what happened in one
      --files        plays worlds of files, in which apps and another client give contents to fields; with
                     --seed, prints what happened in one
      --events E     plays courses of at most E events: 1 to 6; 6 by default
      --failures F   up to F failures in each world of a course: 0, 1, or 2 for the end of a process
                     and a lost answer; 1 by default
      --course C     plays one course with all its failures, or with the one of --world W
      --writes       injects at requests that write, and nowhere else
      --day D        injects into this day alone: 0 or 1
      --world W      plays one world of a kind, of day 0 by default; shrinks it if it breaks a rule
      --planners CASES
                     generates that number of cases for the planners and checks their laws, from a
                     random case on, or from the one of --first
      --seeded-bugs  plays worlds with each of the seeded bugs until a rule catches it, at most N worlds
                     and S seconds for each bug; checks the laws of the planners if no world does
      --only BUG     plays only this seeded bug; may be repeated
      --write-seeded-sources FOLDER
                     writes a copy of the package in the present folder, in which the bugs of the
                     engine's code can be switched on; Tools/Scripts/seeded-bugs builds it
      --write-mutants FOLDER
                     writes a copy of the package in the present folder, in which the environment
                     variable FERRY_MUTANT switches one mutant of the planners on; prints the mutants;
                     Tools/Scripts/mutants builds and plays it
      --refusing FILE
                     leaves the lines alone that the file names as "file:line"
    """

  init(_ arguments: [String]) throws(Fault) {
    var left = arguments[...]
    while let name = left.popFirst() {
      switch name {
      case "--help", "-h": showsHelp = true
      case "--seeded-bugs": seedsBugs = true
      case "--only": bugs = (bugs ?? []) + [try Self.bug(&left)]
      case "--write-seeded-sources": seededSources = try Self.path(name, &left)
      case "--write-mutants": mutatedSources = try Self.path(name, &left)
      case "--refusing": refusedLines = try Self.path(name, &left)
      case "--inject":
        injects = true
        kind = try Self.kind(&left)
      case "--disks":
        failsDisks = true
        diskKind = try Self.diskKind(&left)
      case "--scenario": scenario = try Self.number(name, &left)
      case "--planners": plannerCases = try Self.number(name, &left)
      case "--small-scope": playsSmallScope = true
      case "--events": events = try Self.number(name, &left)
      case "--failures": failures = try Self.number(name, &left)
      case "--course": course = try Self.number(name, &left)
      case "--counters": ledgers = .counters
      case "--files": ledgers = .files
      case "--every": step = max(1, try Self.number(name, &left))
      case "--world": world = try Self.number(name, &left)
      case "--writes": atWritesAlone = true
      case "--day": day = try Self.number(name, &left)
      case "--seed": seed = try Self.number(name, &left)
      case "--first": first = try Self.number(name, &left)
      case "--tell": tells = true
      case "--taking-back": takesBack = true
      case "--members": hasMembers = true
      case "--schema": schema = try Self.path(name, &left)
      case "--title": try readTitle(left.popFirst())
      case "--seeds": count = try Self.number(name, &left)
      case "--runs": runs = try Self.number(name, &left)
      case "--seconds": seconds = try Self.number(name, &left)
      case "--threads": threads = max(1, try Self.number(name, &left))
      default: throw Fault("There is no option \(name).")
      }
    }
    guard injects || day == nil, injects || failsDisks || course != nil || world == nil else {
      throw Fault(
        "--day and --world need --inject KIND, or --world needs --course C or --disks KIND.")
    }
    let playsOthers =
      ledgers != nil || injects || failsDisks || playsSmallScope || seedsBugs || plannerCases != nil
    guard schema == nil || !playsOthers else {
      throw Fault(
        "--schema is for worlds from seeds: the other ways to play have classes of their own.")
    }
    guard schema != nil || titles.isEmpty else { throw Fault("--title needs --schema FILE.") }
    guard failsDisks || scenario == nil else { throw Fault("--scenario needs --disks KIND.") }
    guard playsSmallScope || course == nil else { throw Fault("--course needs --small-scope.") }
  }

  private mutating func readTitle(_ text: String?) throws(Fault) {
    let parts = (text ?? "").split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw Fault("--title needs a class and a field, as Game.code.") }
    titles[String(parts[0])] = String(parts[1])
  }

  /// A kind of failure; nil for all.
  private static func kind(_ left: inout ArraySlice<String>) throws(Fault) -> FaultInjection.Kind? {
    guard let name = left.popFirst(), name != "all" else { return nil }
    guard let kind = FaultInjection.Kind.allCases.first(where: { "\($0)" == name }) else {
      throw Fault("There is no failure \(name).")
    }
    return kind
  }

  /// A kind of failing disk; nil for all.
  private static func diskKind(
    _ left: inout ArraySlice<String>
  ) throws(Fault) -> DiskInjection.Kind? {
    guard let name = left.popFirst(), name != "all" else { return nil }
    guard let kind = DiskInjection.Kind.allCases.first(where: { "\($0)" == name }) else {
      throw Fault("There is no failure of disks \(name).")
    }
    return kind
  }

  private static func path(
    _ name: String, _ left: inout ArraySlice<String>
  ) throws(Fault) -> String {
    guard let path = left.popFirst() else { throw Fault("\(name) needs a path.") }
    return path
  }

  private static func bug(_ left: inout ArraySlice<String>) throws(Fault) -> SeededBug {
    let name = left.popFirst() ?? ""
    guard let bug = SeededBug.allCases.first(where: { "\($0)" == name }) else {
      throw Fault("There is no seeded bug \(name).")
    }
    return bug
  }

  private static func number<Number: LosslessStringConvertible>(
    _ name: String, _ left: inout ArraySlice<String>
  ) throws(Fault) -> Number {
    guard let text = left.popFirst(), let number = Number(text) else {
      throw Fault("\(name) needs a number.")
    }
    return number
  }
}
