// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A query of a class: which rows, which of their fields, in which order.
///
/// It can express only what means the same on every database that Parse Server supports.
package struct ParseQuery: Sendable, Equatable {
  /// The constraint; nil for all rows that the user may read.
  package var constraint: ParseConstraint?
  /// Field names; a `-` in front means descending.
  package var order: [String] = []
  /// The fields to return besides `objectId`, `createdAt`, `updatedAt` and `ACL`; nil for all.
  package var keys: [String]?
  /// The greatest number of rows; the server may silently return fewer.
  package var limit: Int?
  package var skip: Int?
  /// Whether to count all matching rows, regardless of the limit.
  package var counts = false

  package init(
    _ constraint: ParseConstraint? = nil, order: [String] = [], keys: [String]? = nil,
    limit: Int? = nil, skip: Int? = nil, counts: Bool = false
  ) {
    self.constraint = constraint
    self.order = order
    self.keys = keys
    self.limit = limit
    self.skip = skip
    self.counts = counts
  }

  /// The parameters as members of a body.
  package var parameters: [String: Value] {
    var parameters: [String: Value] = [:]
    if let constraint { parameters["where"] = .object(constraint.wire) }
    if !order.isEmpty { parameters["order"] = .string(order.joined(separator: ",")) }
    if let keys { parameters["keys"] = .string(keys.joined(separator: ",")) }
    if let limit { parameters["limit"] = .integer(Int64(max(limit, 0))) }
    if let skip { parameters["skip"] = .integer(Int64(max(skip, 0))) }
    if counts { parameters["count"] = 1 }
    return parameters
  }
}
