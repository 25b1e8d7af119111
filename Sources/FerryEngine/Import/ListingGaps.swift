// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The gaps of a whole listing that a mistyped name would cause, too.
///
/// A server answers alike for a class or a field that it does not know and for one without values.
/// So the notice costs no request, and names both causes.
struct ListingGaps {
  let entity: Entity
  /// How many records the listing brought.
  let recordCount: Int
  /// The declared fields that none of them showed.
  let unseenFields: Set<String>
  /// Whether the class was listed for the first time.
  let isFirst: Bool
  /// The words by which messages name the schema.
  let schemaName: String

  /// A notice for the user; nil if nothing is missing.
  var notice: SyncNotice? {
    if recordCount == 0 { return isFirst ? emptyClass : nil }
    return unseenFields.isEmpty ? nil : fieldsWithoutValues
  }

  private var emptyClass: SyncNotice {
    let filtered = entity.recordFilter == nil ? "" : " that its filter keeps"
    return SyncNotice(
      .classEmpty, className: entity.name,
      "The server showed no record of \(entity.name)\(filtered). A server answers the same for a "
        + "class that it does not know. This is harmless if the class has none yet. If there should be records, "
        + "check the name of the class, its permissions and the user.")
  }

  private var remedy: String {
    isFirst
      ? "If there should be values, correct the name in \(schemaName)."
      : "If there were values before, the field may have been removed on the server; the next edit of "
        + "it creates it again. If there should be values, correct the name in \(schemaName)."
  }

  private var fieldsWithoutValues: SyncNotice {
    let names = entity.fields.map(\.name).filter(unseenFields.contains)
    let fields =
      names.count == 1 ? "the field \(names[0])" : "the fields \(names.joined(separator: ", "))"
    return SyncNotice(
      .fieldsWithoutValues, className: entity.name,
      "No imported record of \(entity.name) has a value in \(fields), so the rows have none either. A "
        + "server answers the same for a field that it does not have. \(remedy)")
  }
}
