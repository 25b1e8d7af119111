// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation
import SimulatedDisk

/// `ferry-simulate`: plays worlds in which everything goes wrong, and says what fell.
@main enum Main {
  static func main() {
    prepareProcess()
    SoleProcess.prepare()
    do {
      exit(try run(try Options(Array(CommandLine.arguments.dropFirst()))) ? 0 : 1)
    } catch let violation as Violation {
      say("The day itself breaks a rule. \(violation)")
      exit(1)
    } catch {
      FileHandle.standardError.write(Data("ferry-simulate: \(error)\n\n\(Options.help)\n".utf8))
      exit(64)
    }
  }

  /// Does what the options say; false if a rule was broken.
  private static func run(_ options: Options) throws -> Bool {
    if options.showsHelp {
      print(Options.help)
      return true
    }
    if let folder = options.seededSources { return try writeSeededSources(to: folder) }
    if let folder = options.mutatedSources { return try writeMutants(to: folder, options) }
    if options.seedsBugs { return try catchBugs(options) }
    if let count = options.plannerCases { return checkPlanners(count, options) }
    if let kind = options.ledgers { return try play(kind, options) }
    if options.playsSmallScope { return try playSmallScope(options) }
    if let seed = options.seed {
      return replay(try options.worlds()(seed), "seed \(seed)", tells: options.tells)
    }
    if options.failsDisks { return try failDisks(options) }
    return options.injects ? try inject(options) : try play(options)
  }

  /// Begins the process anew with settings that Swift reads at its start.
  ///
  /// Sets and dictionaries must have the same order in every process, and copies of stores belong in memory.
  private static func prepareProcess() {
    guard getenv("SWIFT_DETERMINISTIC_HASHING") == nil else { return }
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    setenv("TMPDIR", MemoryFolder.url.path, 1)
    var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    execv("/proc/self/exe", &arguments)
  }

  // MARK: One world

  /// Plays a world; where it breaks a rule, shrinks it and writes its story.
  static func replay(_ world: World, _ name: String, tells: Bool = false) -> Bool {
    let simulation = Simulation()
    guard let violation = simulation.play(world).violation else {
      say("The world of \(name) breaks no rule.")
      return true
    }
    say("\(violation.rule.rawValue): \(violation.message)\n")
    let outcome = simulation.play(simulation.shrink(world, breaking: violation.rule), tells: true)
    say("shrunk: \(outcome.violation?.message ?? "")\n\n\(outcome.story)")
    if tells { for line in outcome.chronicle { say(line) } }
    return false
  }

  // MARK: Many worlds

  private static func play(_ options: Options) throws -> Bool {
    let worlds = try options.worlds()
    let first = options.first ?? UInt64.random(in: 1...UInt64(UInt32.max))
    let deadline = options.seconds.map { Date(timeIntervalSinceNow: $0) }
    say("Seeds from \(first) on, \(options.threads) at a time.")
    let start = ContinuousClock.now
    let campaign = Campaign(
      first: first, count: options.count ?? (options.runs < .max ? .max : 1_000),
      runs: options.runs, deadline: deadline, threads: options.threads, world: worlds,
      variations: { world, _ in
        options.takesBack && !world.settings.takesBack ? [] : [world]
      })
    let (tally, failures) = campaign.run { failure in
      say(
        "FELL seed \(failure.number), \(failure.violation.rule.rawValue): "
          + "\(failure.violation.message)\n     Tools/Scripts/simulate\(options.schemaWords) --seed \(failure.number)"
      )
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    say(ResultTable(tally, failures, seconds: seconds).text)
    return failures.isEmpty
  }

  /// Writes a line at once, also into a file.
  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
