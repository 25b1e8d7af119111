// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// Whether the fields that `ferry.json` declares for a class are on the server, with the same types.
///
/// The server's schemas say so to the master key; to others, the newest rows show it.
struct FieldChecks {
  var entity: Entity
  var findings: ServerExamination

  var check: Check? {
    if case .answer(let classes) = findings.classes {
      guard let known = classes.first(where: { $0.name == entity.name }) else { return nil }
      return check(against: known, "the server's schema", rows: [])
    }
    guard case .answer(let rows) = findings.rows(of: entity.name), !rows.isEmpty else { return nil }
    let sample = SampledClass(entity.name, rows: rows)
    let count = rows.count.counted("newest row", "newest rows")
    return check(against: sample.entity, "the \(count)", rows: rows)
  }

  private func check(against known: Entity, _ source: String, rows: [[String: Value]]) -> Check {
    let name = "fields \(entity.name)"
    let wrong = entity.fields.compactMap { mismatch($0, known, rows) }
    guard wrong.isEmpty else {
      return Check(
        name, .problem(.configuration),
        "By \(source), types differ: \(wrong.joined(separator: "; ")). A sync quarantines such "
          + "records.",
        advice: "Correct the types in ferry.json. A field that a store here holds already also "
          + "needs another \"column\".")
    }
    let missing = entity.fields.filter { known.field($0.name) == nil }
    let absent = missing.filter { if case .relation = $0.type { false } else { true } }.map(\.name)
    guard absent.isEmpty else {
      return Check(
        name, .notice,
        "By \(source), the server has no value in: "
          + absent.map { named($0, among: known) }.joined(separator: ", ")
          + ". The columns stay empty here, and an edit of one makes the server add the field.",
        advice: "Correct the names in ferry.json, or take the fields out.")
    }
    guard missing.isEmpty else {
      return Check(
        name, .notice,
        "By \(source), the server does not have the relation "
          + missing.map { named($0.name, among: known) }.joined(separator: ", ")
          + " yet. It has no members until then, and the first one that is added makes the server add it.",
        advice: "Correct the name in ferry.json if the server has the relation under another one.")
    }
    return Check(
      name, .ok,
      "\(entity.fields.count.counted("field", "fields")) as in \(source).")
  }

  /// The name, with a field of the server's that may be meant.
  private func named(_ name: String, among known: Entity) -> String {
    let others = known.fields.map(\.name).filter { entity.field($0) == nil }
    return Suggestion.nearest(to: name, among: others).map { "\(name) (perhaps \($0))" } ?? name
  }

  /// How the types differ; nil where they agree or the server shows none.
  private func mismatch(
    _ field: Field, _ known: Entity, _ rows: [[String: Value]]
  ) -> String? {
    guard let other = known.field(field.name)?.type else { return nil }
    if field.type == .integer, other == .number {
      let hasFraction = rows.contains { !field.type.accepts($0[field.name] ?? .null) }
      return hasFraction ? "\(field.name) has fractions there and \"integer\": true here" : nil
    }
    guard field.type != other else { return nil }
    return "\(field.name) is \(other.nameForPeople) there and \(field.type.nameForPeople) here"
  }
}

extension FieldType {
  /// The type as `ferry.json` names it, with the class it leads to.
  fileprivate var nameForPeople: String {
    switch self {
    case .pointer(let target): "Pointer to \(target)"
    case .relation(let target): "Relation to \(target)"
    case .text, .integer, .number, .boolean, .date, .bytes, .object, .array, .geoPoint, .polygon,
      .file:
      wireName
    }
  }
}
