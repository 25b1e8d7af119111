// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import Foundation

extension PageReader {
  /// Reads a page that was received, its plain records as rows of a batch.
  ///
  /// - Throws: `PageError` where `read` throws it.
  package mutating func readBatch(_ bytes: Data) throws(PageError) -> BatchPage {
    let empty = RowBatch(emptyValues: records.emptyValues)
    places = []
    guard records.readsPlainRows else { return BatchPage(try read(bytes), empty) }
    let read: BatchReading?
    do {
      read = try json.document(bytes) { Self.batch($0, bytes.count, &records) }
    } catch {
      return BatchPage(try salvage(error), empty)
    }
    guard var read else { throw PageError.notAPage }
    if !read.guilty.isEmpty {
      read.page.failures = try failures(read.guilty, rowCount: read.page.rowCount)
    }
    // Which of two rows is right, only the whole page tells.
    guard !read.page.repeatsAnID else { return BatchPage(try self.read(bytes), empty) }
    places = read.places
    return read.page
  }

  /// The record of a row of the last batch; valid until the next page is read.
  package mutating func record(ofRow row: Int) -> ServerRecord? {
    guard let element = json.element(at: places[row]) else { return nil }
    return try? records.read(element)
  }

  private struct BatchReading {
    var page: BatchPage
    /// The position of each row of the batch on the tape.
    var places: [Int] = []
    var guilty: [Guilty] = []
  }

  /// Nil for a document that is no page.
  private static func batch(
    _ root: JSONElement, _ bytes: Int, _ records: inout RecordReader
  ) -> BatchReading? {
    guard let rows = root["results"]?.array else { return nil }
    let count = rows.underestimatedCount
    var read = BatchReading(
      page: BatchPage(RowBatch(emptyValues: records.emptyValues, rows: count, bytes: bytes)))
    read.places.reserveCapacity(count)
    for row in rows {
      if records.readPlain(row, into: &read.page.batch) {
        read.places.append(row.index)
      } else {
        do {
          read.page.records.append(try records.read(row))
        } catch {
          read.guilty.append(Guilty(row: read.page.rowCount, error: error))
        }
      }
      read.page.rowCount += 1
    }
    return read
  }
}

extension BatchPage {
  /// Whether two rows of the page have one id.
  fileprivate var repeatsAnID: Bool {
    let others = records.map(\.objectID) + failures.compactMap(\.objectID)
    var ids = Set<UInt64>(minimumCapacity: rowCount)
    // Of ids with equal hashes, too, the whole page tells.
    for id in others where !ids.insert(UnsafeRawBufferPointer.hash(of: id)).inserted { return true }
    return batch.read { view in
      for row in 0..<batch.rowCount {
        let id = view.bytes(view.cell(row, RowBatch.Column.objectID))
        if !ids.insert(UnsafeRawBufferPointer(id).hash).inserted { return true }
      }
      return false
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate static func hash(of text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { UnsafeRawBufferPointer($0).hash }
  }

  /// FNV-1a, for texts as short as an id.
  fileprivate var hash: UInt64 {
    reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
