// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

extension ThreeWayMerge.Outcome {
  /// Which side wins in the fields that both sides changed, as sentences for a plan; nil without conflicts.
  var conflictSentence: String? {
    guard !conflicts.isEmpty else { return nil }
    var fields: [ConflictRecord.Reason: Set<String>] = [:]
    for loss in losses { fields[loss.reason, default: []].formUnion(loss.fields.names) }
    let results = fields.sorted { $0.key.rawValue < $1.key.rawValue }.map { reason, names in
      let subject = names == conflicts ? "" : " of \(names.sorted().joined(separator: ", "))"
      return reason.result(of: subject)
    }
    let changed = "Both sides changed \(conflicts.sorted().joined(separator: ", "))."
    return ([changed] + results).joined(separator: " ")
  }
}

extension ConflictRecord.Reason {
  /// A sentence on the values that stay and the values that are kept as a conflict record.
  fileprivate func result(of fields: String) -> String {
    switch self {
    case .localWon:
      "The local value\(fields) stays, and the server's is kept as a conflict record."
    case .resolved:
      "The app's resolver decides\(fields), and lost values are kept as a conflict record."
    case .resolverFailed:
      "The app's resolver failed: the server's value\(fields) stays, and the local one is kept as a "
        + "conflict record."
    case .remoteWon, .deletedRemotely, .editedRemotely, .removed, .removedByTrigger,
      .duplicateMerged:
      "The server's value\(fields) stays, and the local one is kept as a conflict record."
    }
  }
}
