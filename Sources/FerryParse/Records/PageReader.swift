// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import Foundation

/// Reads pages of one class: answers of the form `{"results":[…],"count":n}`.
///
/// A record that cannot be read does not stop its page. The reader returns its text as a failure,
/// and reads the others. Use one reader per thread, for any number of pages.
package struct PageReader {
  let json: JSONReader
  var records: RecordReader
  /// The position of each row of the last batch on the tape.
  var places: [Int] = []

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
    let read: Reading?
    do {
      read = try json.document(bytes) { Self.page($0, &records) }
    } catch {
      return try salvage(error)
    }
    guard var page = read?.page, let read else { throw PageError.notAPage }
    if !read.guilty.isEmpty { page.failures = try failures(read.guilty, rowCount: page.rowCount) }
    try page.setAsideRepeatedIDs(
      recordRows: read.rows, failureRows: read.guilty.map(\.row), in: json.source)
    return page
  }

  /// A page whose refused rows are still to be cut out of its text.
  private struct Reading {
    var page = ParsePage()
    /// The row of each record.
    var rows: [Int] = []
    var guilty: [Guilty] = []
  }

  /// A row that the record reader refused, by its position on the page.
  struct Guilty {
    var row: Int
    var error: any Error
  }

  /// Nil for a document that is no page.
  private static func page(
    _ root: JSONElement, _ records: inout RecordReader
  ) -> Reading? {
    guard let rows = root["results"]?.array else { return nil }
    var read = Reading()
    read.page.count = root["count"]?.wholeNumber
    read.page.records.reserveCapacity(rows.underestimatedCount)
    read.rows.reserveCapacity(rows.underestimatedCount)
    for (number, row) in rows.enumerated() {
      do {
        let record = try records.read(row)
        read.page.lastObjectID = record.objectID
        read.page.records.append(record)
        read.rows.append(number)
      } catch {
        read.page.lastObjectID = row["objectId"]?.string ?? read.page.lastObjectID
        read.guilty.append(Guilty(row: number, error: error))
      }
      read.page.rowCount = number + 1
    }
    return read
  }

  /// Cuts the text of refused rows out of the page.
  func failures(_ guilty: [Guilty], rowCount: Int) throws(PageError) -> [RecordFailure] {
    guard let split = json.tokens.flatMap(SplitPage.init), split.rows.count == rowCount else {
      throw PageError.malformed
    }
    return guilty.map { split.failure(row: $0.row, because: $0.error) }
  }
}

extension PageReader {
  /// Reads a page record by record if it cannot be read as a whole.
  mutating func salvage(_ error: JSONError) throws(PageError) -> ParsePage {
    let split = try SplitPage(salvaging: json.source, after: error)
    let single = JSONReader()
    var page = ParsePage()
    page.count = split.count
    page.rowCount = split.rows.count
    var (recordRows, failureRows): ([Int], [Int]) = ([], [])
    for (row, range) in split.rows.enumerated() {
      do {
        let text = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: json.source[range]))
        page.records.append(try single.read(text) { try records.read($0) })
        recordRows.append(row)
      } catch {
        page.failures.append(split.failure(row: row, because: error))
        failureRows.append(row)
      }
    }
    // If every row is valid, the error lies between them, so the page as a whole is bad.
    guard !page.failures.isEmpty else { throw PageError.malformed }
    page.lastObjectID = split.lastObjectID
    try page.setAsideRepeatedIDs(
      recordRows: recordRows, failureRows: failureRows, in: json.source)
    return page
  }
}

extension SplitPage {
  /// The failure of a row that the record reader or a serializer refused.
  fileprivate func failure(row: Int, because error: any Error) -> RecordFailure {
    switch error {
    case let problem as RecordReader.Problem:
      var failure = failure(row: row, reason: problem.reason)
      failure.markedAsDeleted = problem.markedAsDeleted
      return failure
    case let error as JSONError: return failure(row: row, reason: "It \(error.reason).")
    default: return failure(row: row, reason: "Its serializer refused it: \(error)")
    }
  }
}
