// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
package import Foundation

/// The properties of a page that the next query depends on, read without making its records.
package struct PageOutline: Sendable, Equatable {
  /// The number of rows of the page, valid or not.
  package var rowCount: Int
  /// The total number of matching rows, if the query counted them.
  package var count: Int?
  /// The key of the last row; nil if the page is empty or the row does not show its key.
  package var lastKey: ParsePage.Key?

  package init(_ page: Data, reader: JSONReader) throws(PageError) {
    do {
      self = try reader.read(page) { try PageOutline($0) }
    } catch let error as JSONError {
      self.init(try SplitPage(salvaging: reader.source, after: error))
    } catch {
      throw PageError.notAPage
    }
  }

  private init(_ root: JSONElement) throws(PageError) {
    guard let rows = root["results"]?.array else { throw PageError.notAPage }
    rowCount = 0
    count = root["count"]?.wholeNumber
    var last: JSONElement?
    for row in rows {
      rowCount += 1
      last = row
    }
    lastKey = last?.pageKey
  }

  private init(_ split: SplitPage) {
    rowCount = split.rows.count
    count = split.count
    lastKey = split.rows.indices.last.flatMap { split.key(ofRow: $0) }
  }
}

extension JSONElement {
  /// The row's key in the order of pages, if it has one.
  var pageKey: ParsePage.Key? {
    guard let version = self["updatedAt"]?.string, let objectID = self["objectId"]?.string else {
      return nil
    }
    return ParsePage.Key(version: ServerVersion(rawValue: version), objectID: objectID)
  }
}
