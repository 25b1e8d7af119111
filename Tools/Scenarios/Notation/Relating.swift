// Ferry: offline-first sync for Parse Server. MIT licence.

/// Rows that become members of a row's relation, or are members no more.
struct Relating: Sendable {
  var adds: Bool
  var members: [String]
  var owner: String
  var field: String
}

extension StepReader {
  /// `add p1, p2 to t1.players` or `remove p1 from t1.players`; nil for any other step.
  mutating func relatingStep(_ reader: inout PhraseReader) throws(ScenarioError) -> Relating? {
    if try reader.takes("add") { return try relating(&reader, adds: true) }
    if try reader.takes("remove") { return try relating(&reader, adds: false) }
    return nil
  }

  /// Reads members, owner and field behind the verb.
  func relating(
    _ reader: inout PhraseReader, adds: Bool
  ) throws(ScenarioError) -> Relating {
    let members = try knownNameList(&reader)
    try reader.needs(adds ? "to" : "from")
    let owner = try oneName(&reader)
    try reader.needs(sign: ".")
    let field = try fieldName(of: className(of: owner), &reader)
    return Relating(adds: adds, members: members, owner: owner, field: field)
  }
}
