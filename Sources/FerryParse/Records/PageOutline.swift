// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
package import Foundation

/// The properties of a page that the next query depends on, read without making its records.
package struct PageOutline: Sendable, Equatable {
  /// The number of rows of the page, valid or not.
  package var rowCount: Int
  /// The total number of matching rows, if the query counted them.
  package var count: Int?
  /// The key of the last row that shows one; nil if none does.
  package var lastKey: ParsePage.Key?

  package init(_ page: Data, reader: JSONReader) throws(PageError) {
    let outline: PageOutline?
    do {
      outline = try reader.document(page) { PageOutline($0) }
    } catch {
      self.init(try SplitPage(salvaging: reader.source, after: error))
      return
    }
    guard let outline else { throw PageError.notAPage }
    self = outline
  }

  /// Nil for a document that is no page.
  private init?(_ root: JSONElement) {
    guard let rows = root["results"]?.array else { return nil }
    let elements = Array(rows)
    rowCount = elements.count
    count = root["count"]?.wholeNumber
    lastKey = elements.reversed().lazy.compactMap(\.pageKey).first
  }

  private init(_ split: SplitPage) {
    rowCount = split.rows.count
    count = split.count
    lastKey = split.lastKey
  }
}

extension ParsePage.Key {
  /// Nil where either is missing, or the stamp is no date.
  init?(_ stamp: String?, _ objectID: String?) {
    guard let version = stamp.map(ServerVersion.init(rawValue:)), version.timestamp != nil,
      let objectID
    else { return nil }
    self.init(version: version, objectID: objectID)
  }
}

extension JSONElement {
  /// The row's key in the order of pages, if it has one.
  var pageKey: ParsePage.Key? {
    ParsePage.Key(self["updatedAt"]?.string, self["objectId"]?.string)
  }
}
