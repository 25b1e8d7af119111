// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryTestSupport
import Foundation
import Testing

@testable import FerryEngine

/// A look-up of records asks on until nothing is left.
struct LookupListingTests {
  private let entity = Sports.schema.entities[1]

  private func listing(of field: String) -> LookupListing {
    LookupListing(
      entity: entity, field: field, values: ["a", "b", "c"], keys: nil, clientKeyField: "ferryKey")
  }

  private func page(_ ids: [String]) throws -> ParsePage {
    let stamp = "2026-01-01T00:00:00.000Z"
    let rows = ids.map {
      #"{"objectId":"\#($0)","createdAt":"\#(stamp)","updatedAt":"\#(stamp)"}"#
    }
    var reader = PageReader(entity, clientKeyField: "ferryKey")
    return try reader.read(Data(#"{"results":[\#(rows.joined(separator: ","))]}"#.utf8))
  }

  @Test(arguments: ["objectId", "ferryKey"])
  func `a page that is not full is not the last one, because a server may give fewer rows`(
    field: String
  ) throws {
    var listing = listing(of: field)
    try listing.absorb(page(["a"]))
    #expect(listing.nextQuery != nil)
    try listing.absorb(page(["b"]))
    #expect(listing.nextQuery != nil)
    try listing.absorb(page([]))
    #expect(listing.nextQuery == nil)
    #expect(listing.found.map(\.objectID) == ["a", "b"])
  }

  @Test func `a look-up of ids ends with the last of them`() throws {
    var listing = listing(of: "objectId")
    try listing.absorb(page(["a", "b", "c"]))
    #expect(listing.nextQuery == nil)
  }
}
