// Ferry: offline-first sync for Parse Server. MIT licence.

// Steps of the network: the fates of requests and answers.
extension StepReader {
  func networkStep(_ reader: inout PhraseReader) throws(ScenarioError) -> Step {
    if try reader.takes("deliver") { return .deliver }
    let pattern = try request(&reader)
    return .fault(pattern, try fate(&reader))
  }

  private func fate(_ reader: inout PhraseReader) throws(ScenarioError) -> Fate {
    if try reader.takes("passes") { return .passes }
    if try reader.takes(phrase: "is lost") { return .isLost }
    if try reader.takes(phrase: "loses its answer") { return .losesItsAnswer }
    if try reader.takes(phrase: "loses its connection") { return .losesItsConnection }
    if try reader.takes(phrase: "is delayed") { return .isDelayed }
    if try reader.takes(phrase: "cannot connect") { return .cannotConnect }
    if try reader.takes(phrase: "is answered") {
      let (status, body) = try answer(&reader)
      return .isAnswered(status: status, body: body)
    }
    if try reader.takes(phrase: "is done but answered") {
      let (status, body) = try answer(&reader)
      return .isDoneButAnswered(status: status, body: body)
    }
    if try reader.takes(phrase: "is reworded") { return .isReworded }
    if try reader.takes("takes") { return .takes(try reader.duration()) }
    if try reader.takes(phrase: "has no Date") { return .date(ahead: nil) }
    if try reader.takes(phrase: "has a Date") {
      let distance = try reader.duration()
      if try reader.takes("ahead") { return .date(ahead: distance) }
      try reader.needs("behind")
      return .date(ahead: .zero - distance)
    }
    throw reader.expected(
      "a fate (passes, is lost, loses its answer, loses its connection, is delayed, cannot connect, is answered STATUS, "
        + "is done but answered STATUS, is reworded, takes TIME, has no Date, has a Date TIME ahead)"
    )
  }

  private func answer(_ reader: inout PhraseReader) throws(ScenarioError) -> (Int, String?) {
    let status = try reader.integer("an HTTP status")
    guard case .text(let body) = try reader.peek() else { return (status, nil) }
    _ = try reader.next()
    return (status, body)
  }
}

extension PhraseReader {
  /// A number and a unit, as `3 min`.
  mutating func duration() throws(ScenarioError) -> Duration {
    guard case .number(let number) = try peek() else { throw expected("a time such as 3 min") }
    _ = try next()
    let units = ["ms": 0.001, "s": 1, "min": 60, "h": 3600, "day": 86_400, "days": 86_400]
    let before = self
    guard let seconds = units[try word("a unit of time (ms, s, min, h, days)")] else {
      throw before.expected("a unit of time (ms, s, min, h, days)")
    }
    guard let milliseconds = Int64(exactly: (number * seconds * 1000).rounded()),
      milliseconds.magnitude <= 1 << 50
    else { throw before.expected("a time of fewer years") }
    return .milliseconds(milliseconds)
  }
}
