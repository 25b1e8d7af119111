// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The report of an import, for people and for programs.
struct ImportText {
  var report: ObjectImportReport
  var isDryRun: Bool

  private var classes: [(key: String, value: ObjectImportReport.Counts)] {
    report.classes.sorted { $0.key < $1.key }
  }

  var messages: [JSONMessage] {
    let imported = classes.map { name, counts in
      JSONMessage(
        "imported",
        [
          "class": .string(name), "records": .count(counts.records),
          "inserted": .count(counts.inserted), "edited": .count(counts.edited),
          "deleted": .count(counts.deleted), "present": .count(counts.present),
        ])
    }
    let leftOut = report.leftOut.map { object in
      JSONMessage(
        "left_out",
        [
          "class": .string(object.className), "reason": .string(object.reason.rawValue),
          "count": .count(object.count), "example": .string(object.example),
        ]
      ).with("field", object.field.map(Value.string)).with(
        "detail", object.detail.map(Value.string))
    }
    let summary = JSONMessage(
      "summary",
      [
        "classes": .count(classes.count), "left_out": .count(report.leftOut.count),
        "dry_run": .boolean(isDryRun),
      ])
    return imported + leftOut + [summary]
  }

  var lines: [String] {
    var lines = classes.map { name, counts in "\(name): \(Self.words(counts))" }
    if classes.isEmpty { lines.append("No object was imported.") }
    if !report.leftOut.isEmpty {
      lines.append("Left out:")
      lines += report.leftOut.map { "  \(Self.line($0))" }
    }
    if isDryRun { lines.append("This was a dry run. Nothing was changed.") }
    return lines
  }

  private static func words(_ counts: ObjectImportReport.Counts) -> String {
    let parts = [
      (counts.records, "imported"), (counts.inserted, "new"), (counts.edited, "edited"),
      (counts.deleted, "deleted"), (counts.present, "present before"),
    ]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  private static func line(_ object: ObjectLeftOut) -> String {
    let place = object.className + (object.field.map { ".\($0)" } ?? "")
    let detail = object.detail.map { " \($0)" } ?? ""
    return "\(place): \(object.count.counted("object", "objects")), such as \(object.example). "
      + sentence(object.reason) + detail
  }

  /// The reason for people.
  private static func sentence(_ reason: ObjectLeftOut.Reason) -> String {
    switch reason {
    case .unknownClass: "ferry.json does not have the class."
    case .unknownField: "ferry.json does not have the field."
    case .wrongType: "A value does not fit."
    case .unreadable: "The content cannot be read."
    case .incomplete: "The file has only a part of it; a sync brings the record."
    case .noIdentity: "It has no id and no key."
    case .unresolvedPointer: "A pointer leads to an object that is not imported."
    case .noRow: "There is no row for the change; sync, then import again."
    case .editedHere: "The row has an unsent edit; sync, then import again."
    case .removedHere: "The row was here, and has left."
    case .relation: "ferry.json has no class for the members: \"ferry help relations\"."
    case .neverSaved: "It was deleted before it was saved."
    case .command: "A request waits that is no change of an object. Only the old app can send it."
    case .refused: "The table or the filter of the class keeps it out."
    default: reason.rawValue
    }
  }
}
