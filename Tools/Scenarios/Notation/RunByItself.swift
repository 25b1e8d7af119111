// Ferry: offline-first sync for Parse Server. MIT licence.

/// A time in which a device syncs by itself, each second and when it is told.
struct RunByItself: Sendable {
  /// How long it runs, in real time, because the engine's timers know no other.
  var duration: Duration
  /// How often the app calls `wakeUp()` in each second.
  var wakeUpsPerSecond = 0
  /// The expected number of syncs; nil for any.
  var syncs: ClosedRange<Int>?
}

// The step in which a device syncs by itself.
extension StepReader {
  /// `run for 3 s`, perhaps with `, woken 1000 times a second` and `-> 3 to 5 syncs`; nil for any other step.
  func runStep(_ reader: inout PhraseReader) throws(ScenarioError) -> Step? {
    guard try reader.takes(phrase: "run for") else { return nil }
    let before = reader
    var run = RunByItself(duration: try reader.duration())
    guard (.milliseconds(1) ... .seconds(60)).contains(run.duration) else {
      throw before.expected("a time up to a minute, which passes in reality")
    }
    if try reader.takes(sign: ",") {
      try reader.needs("woken")
      let before = reader
      run.wakeUpsPerSecond = try reader.integer("how many times")
      guard (1...1000).contains(run.wakeUpsPerSecond) else {
        throw before.expected("a number of times from 1 to 1000")
      }
      guard try reader.takes(phrase: "times a second") else {
        throw reader.expected("\"times a second\"")
      }
    }
    if try reader.takes(sign: "->") { run.syncs = try syncs(&reader) }
    return .run(run)
  }

  private func syncs(_ reader: inout PhraseReader) throws(ScenarioError) -> ClosedRange<Int> {
    let before = reader
    let least = try reader.integer("the least number of syncs")
    try reader.needs("to")
    let most = try reader.integer("the highest number of syncs")
    try reader.needs("syncs")
    guard least <= most else { throw before.expected("numbers that rise, as 3 to 5 syncs") }
    return least...most
  }
}
