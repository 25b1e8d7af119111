// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The scope of a listing: its owner, class, rows and fields.
package struct ListingScope: Equatable, Sendable {
  /// The store, the server and the user.
  package let identity: String
  /// The names of the requested fields on the wire, each once, in byte order.
  package let keys: [String]
  /// The filter for rows; nil for all rows.
  package let filter: ParseConstraint?
  /// A fingerprint of the whole scope, in 16 hexadecimal digits.
  package let fingerprint: String

  /// - Parameters:
  ///   - identity: Identifies the store, the server and the user.
  ///   - entity: The class.
  ///   - clientKeyField: The field with Ferry's key of a create.
  /// - Throws: `FilterError` for a filter that cannot be requested.
  package init(identity: String, entity: Entity, clientKeyField: String) throws(FilterError) {
    self.identity = identity
    filter = try entity.filterConstraint()
    let names = entity.serializer?.wireKeys ?? entity.fields.map(\.name)
    keys = Set(names + [clientKeyField]).sorted()
    fingerprint = Self.fingerprint(identity, entity.fingerprint, filter, keys)
  }

  /// The format says how the class is read: after a change of type, the same text has another meaning.
  private static func fingerprint(
    _ identity: String, _ format: String, _ filter: ParseConstraint?, _ keys: [String]
  ) -> String {
    // The lengths keep two different lists of parts from becoming the same text.
    let rows = filter.map { WireJSON.text(.object($0.wire)) } ?? ""
    let parts = [identity, format, rows] + keys
    return Checksum.text(of: parts.map { "\($0.utf8.count):\($0)" }.joined().utf8)
  }
}
