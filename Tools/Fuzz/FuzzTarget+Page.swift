// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation

extension FuzzTarget {
  /// A page that is read has each of its rows once, and its outline agrees.
  static func checkPage(_ bytes: Data) throws(BrokenLaw) {
    var reader = PageReader(.everyType, clientKeyField: "ferryKey")
    let outline = try? PageOutline(bytes, reader: JSONReader())
    guard let page = try? reader.read(bytes) else { return }
    try law(
      page.rowCount == page.records.count + page.failures.count,
      "A page of \(page.rowCount) rows has \(page.records.count) records and \(page.failures.count) failures."
    )
    try law(
      outline?.rowCount == page.rowCount && outline?.count == page.count,
      "The outline \(outline.map { "\($0)" } ?? "does not exist") of a page of \(page.rowCount) rows."
    )
    let ids = page.records.map(\.objectID)
    try law(Set(ids).count == ids.count, "Two records of a page have one id.")
    let again = try? reader.read(bytes)
    try law(again == page, "A page read twice differs.")
    for record in page.records { try checkRecord(record, &reader) }
  }

  /// The record of a create comes back from the server as it was sent.
  private static func checkRecord(
    _ record: ServerRecord, _ reader: inout PageReader
  ) throws(BrokenLaw) {
    var fields = record.fields(of: .everyType)
    let serializer = SchemaSerializer(.everyType)
    // Some values may be read, and not sent.
    guard var body = try? serializer.createBody(fields, objectID: record.objectID) else { return }
    body["createdAt"] = .string(record.createdAt.description)
    body["updatedAt"] = .string(record.version.rawValue)
    let text = WireJSON.text(["results": [.object(body)]])
    let read = try? reader.read(Data(text.utf8))
    guard let read = read?.records.first else { throw BrokenLaw("A create is not read: \(text)") }
    // No body holds a relation, and every record has it.
    fields["players"] = .relation(className: "Player")
    let difference = read.fields(of: .everyType).difference(from: fields)
    try law(difference.isEmpty, "A create comes back with other fields \(difference): \(text)")
  }
}
