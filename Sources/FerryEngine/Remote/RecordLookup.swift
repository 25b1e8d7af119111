// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import Foundation

/// Queries records by the values of a field, up to the end of the response.
///
/// It always uses a find, because a get by id can answer "not found" for a record that a find
/// shows. It pages until an empty page, because servers silently lower a limit. Where the records of a
/// chunk are too large for one response, it asks for half of them at a time.
struct RecordLookup {
  /// The number of values in one query; it keeps the request and its response small.
  static let chunk = 100

  let context: ClassContext

  /// The records with one of the object ids; without `keys`, with all declared fields.
  func records(objectIDs: [String], keys: [String]? = nil) throws(ClassError) -> [ServerRecord] {
    if context.entity.membership != nil { return try rows(objectIDs: objectIDs).records }
    return try records(by: "objectId", objectIDs, keys: keys)
  }

  /// The records with one of the client keys.
  func records(clientKeys: [String]) throws(ClassError) -> [ServerRecord] {
    try records(by: context.options.clientKeyField, clientKeys, keys: nil)
  }

  /// The records with one of the object ids, and those of them that cannot be read.
  func rows(objectIDs: [String], keys: [String]? = nil) throws(ClassError) -> (
    records: [ServerRecord], failures: [RecordFailure]
  ) {
    if let membership = context.entity.membership {
      return (try MemberLookup(context: context, membership: membership).records(objectIDs), [])
    }
    return try rows(by: "objectId", objectIDs, keys: keys)
  }

  /// The records with one of the client keys, and those of them that cannot be read.
  func rows(clientKeys: [String]) throws(ClassError) -> (
    records: [ServerRecord], failures: [RecordFailure]
  ) {
    try rows(by: context.options.clientKeyField, clientKeys, keys: nil)
  }

  /// Those of some object ids of which the server shows a record, whatever it holds.
  static func shown(
    _ objectIDs: [String], of className: String, in context: StageContext
  ) throws(ClassError) -> Set<String> {
    let entity = Entity(className, fields: [])
    let found = try RecordLookup(context: ClassContext(entity, in: context))
      .rows(objectIDs: objectIDs, keys: [])
    return Set(found.records.map(\.objectID) + found.failures.compactMap(\.objectID))
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
    var chunks = values.chunks(of: Self.chunk)[...]
    while let chunk = chunks.popFirst() {
      try context.checkCancellation()
      do {
        let listing = try listing(by: field, chunk, keys: keys)
        found.records += listing.found
        found.failures += listing.failures
      } catch .failsClass(.tooLarge(let error)) {
        guard let halves = RequestSize.halves(of: chunk) else {
          throw .failsClass(.tooLarge(error))
        }
        chunks = halves + chunks
      }
    }
    return found
  }

  /// Asks for the records of one chunk, to the end.
  private func listing(
    by field: String, _ chunk: [String], keys: [String]?
  ) throws(ClassError) -> LookupListing {
    var listing = LookupListing(
      entity: context.entity, field: field, values: chunk, keys: keys,
      clientKeyField: context.options.clientKeyField)
    var reader = PageReader(context.entity, clientKeyField: context.options.clientKeyField)
    while let query = listing.nextQuery {
      try listing.absorb(context.page(query, by: &reader))
    }
    return listing
  }
}

extension Entity {
  /// The names of the fields to request.
  var wireKeys: [String] { serializer?.wireKeys ?? fields.map(\.name) }
}
