// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation

/// Queries records by the values of a field, up to the end of the response.
///
/// It always uses a find, because a get by id can answer "not found" for a record that a find
/// shows. It pages until an empty page, because servers silently lower a limit.
struct RecordLookup {
  /// The number of values in one query; it keeps the request and its response small.
  static let chunk = 100

  let context: ClassContext

  /// The records with one of the object ids; without `keys`, with all declared fields.
  func records(objectIDs: [String], keys: [String]? = nil) throws(ClassError) -> [ServerRecord] {
    try records(by: "objectId", objectIDs, keys: keys)
  }

  /// The records with one of the client keys.
  func records(clientKeys: [String]) throws(ClassError) -> [ServerRecord] {
    try records(by: context.options.clientKeyField, clientKeys, keys: nil)
  }

  /// The records with one of the object ids, and those of them that cannot be read.
  func rows(objectIDs: [String]) throws(ClassError) -> (
    records: [ServerRecord], failures: [RecordFailure]
  ) {
    try rows(by: "objectId", objectIDs, keys: nil)
  }

  /// The records with one of the client keys, and those of them that cannot be read.
  func rows(clientKeys: [String]) throws(ClassError) -> (
    records: [ServerRecord], failures: [RecordFailure]
  ) {
    try rows(by: context.options.clientKeyField, clientKeys, keys: nil)
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
  /// The names of the fields to request.
  var wireKeys: [String] { serializer?.wireKeys ?? fields.map(\.name) }
}
