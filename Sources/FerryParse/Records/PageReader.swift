// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import Foundation

/// Reads pages of one class: answers of the form `{"results":[…],"count":n}`.
///
/// A record that cannot be read does not stop its page. The reader returns its text as a failure,
/// and reads the others. Use one reader per thread, for any number of pages.
package struct PageReader {
  private let json: JSONReader
  private var records: RecordReader

  package init(
    _ entity: Entity, clientKeyField: String? = nil, limits: JSONReader.Limits = .init()
  ) {
    json = JSONReader(limits: limits)
    records = RecordReader(entity, clientKeyField: clientKeyField)
  }

  /// The declared fields that at least one record of the pages so far has shown.
  package var shownFields: Set<String> { records.shownFields }

  /// Reads a page that was received.
  ///
  /// - Throws: `PageError` where it cannot be read as a whole, as a page that was cut.
  package mutating func read(_ bytes: Data) throws(PageError) -> ParsePage {
    let read: (ParsePage, [Guilty])?
    do {
      read = try json.document(bytes) { Self.page($0, &records) }
    } catch {
      return try salvage(error)
    }
    guard var page = read?.0, let guilty = read?.1 else { throw PageError.notAPage }
    if !guilty.isEmpty { page.failures = try failures(guilty) }
    page.setAsideRepeatedIDs(in: json.source)
    return page
  }

  /// A row that the record reader refused, by its position on the page.
  private struct Guilty {
    var row: Int
    var reason: String
  }

  /// Nil for a document that is no page.
  private static func page(
    _ root: JSONElement, _ records: inout RecordReader
  ) -> (ParsePage, [Guilty])? {
    guard let rows = root["results"]?.array else { return nil }
    var page = ParsePage()
    var guilty: [Guilty] = []
    page.count = root["count"]?.wholeNumber
    page.records.reserveCapacity(rows.underestimatedCount)
    for row in rows {
      do {
        let record = try records.read(row)
        page.lastObjectID = record.objectID
        page.records.append(record)
      } catch {
        page.lastObjectID = row["objectId"]?.string ?? page.lastObjectID
        guilty.append(Guilty(row: page.rowCount, reason: RecordReader.sentence(for: error)))
      }
      page.rowCount += 1
    }
    return (page, guilty)
  }

  /// Cuts the text of refused rows out of the page.
  private func failures(_ guilty: [Guilty]) throws(PageError) -> [RecordFailure] {
    guard let split = SplitPage(json.source) else { throw PageError.malformed }
    return guilty.map { split.failure(row: $0.row, reason: $0.reason) }
  }
}

extension PageReader {
  /// Reads a page record by record if it cannot be read as a whole.
  private mutating func salvage(_ error: JSONError) throws(PageError) -> ParsePage {
    let split = try SplitPage(salvaging: json.source, after: error)
    let single = JSONReader()
    var page = ParsePage()
    page.count = split.count
    page.rowCount = split.rows.count
    for (row, range) in split.rows.enumerated() {
      do {
        let text = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: json.source[range]))
        page.records.append(try single.read(text) { try records.read($0) })
      } catch {
        page.failures.append(split.failure(row: row, reason: RecordReader.sentence(for: error)))
      }
    }
    // If every row is valid, the error lies between them, so the page as a whole is bad.
    guard !page.failures.isEmpty else { throw PageError.malformed }
    page.lastObjectID = split.lastObjectID
    page.setAsideRepeatedIDs(in: json.source)
    return page
  }
}

extension RecordReader {
  /// Why a record was refused, by the reader or by a serializer.
  static func sentence(for error: any Error) -> String {
    switch error {
    case let problem as Problem: problem.reason
    case let error as JSONError: "It \(error.reason)."
    default: "Its serializer refused it: \(error)"
    }
  }
}
