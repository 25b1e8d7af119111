// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation

/// Asks the server for records by a field's values, to the end of its answer.
///
/// Always by find, never by id: a record that find shows can be answered "not found" when asked for by
/// id. And always page by page until an empty one, because servers lower a limit silently.
struct RecordLookup {
  /// How many values are asked for at once; keeps the request and its answer small.
  static let chunk = 100

  let context: ClassContext

  /// The records whose object id is among those given; without `keys`, with all declared fields.
  func records(objectIDs: [String], keys: [String]? = nil) throws(ClassError) -> [ServerRecord] {
    try records(by: "objectId", objectIDs, keys: keys)
  }

  /// The records that carry one of the client keys given.
  func records(clientKeys: [String]) throws(ClassError) -> [ServerRecord] {
    try records(by: context.options.clientKeyField, clientKeys, keys: nil)
  }

  /// The records whose object id is among those given, and those of them that cannot be read.
  func rows(objectIDs: [String]) throws(ClassError) -> (
    records: [ServerRecord], failures: [RecordFailure]
  ) {
    try rows(by: "objectId", objectIDs, keys: nil)
  }

  private func records(
    by field: String, _ values: [String], keys: [String]?
  ) throws(ClassError) -> [ServerRecord] {
    try rows(by: field, values, keys: keys).records
  }

  private func rows(
    by field: String, _ values: [String], keys: [String]?
  ) throws(ClassError) -> (records: [ServerRecord], failures: [RecordFailure]) {
    var found: (records: [ServerRecord], failures: [RecordFailure]) = ([], [])
    for start in stride(from: 0, to: values.count, by: Self.chunk) {
      try context.checkCancellation()
      let chunk = Array(values[start..<min(start + Self.chunk, values.count)])
      var listing = LookupListing(
        entity: context.entity, field: field, values: chunk, keys: keys,
        clientKeyField: context.options.clientKeyField)
      var reader = PageReader(context.entity, clientKeyField: context.options.clientKeyField)
      while let query = listing.nextQuery {
        try listing.absorb(context.page(query, by: &reader))
      }
      found.records += listing.found
      found.failures += listing.failures
    }
    return found
  }
}

extension Entity {
  /// The names of the fields to ask the server for.
  var wireKeys: [String] { serializer?.wireKeys ?? fields.map(\.name) }
}
