// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The scope of a listing: its owner, class, rows and fields.
package struct ListingScope: Equatable, Sendable {
  /// The store, the server and the user.
  package var identity: String
  /// The names asked for on the wire, each once, in the order of their bytes.
  package var keys: [String]
  /// How the class is read: a type that changed reads the same text otherwise.
  private var format: String
  /// Which rows; all of them when nil.
  package let filter: ParseConstraint?

  /// - Parameters:
  ///   - identity: Names the store, the server and the user.
  ///   - entity: The class.
  ///   - clientKeyField: The field that carries Ferry's key of a create.
  /// - Throws: `FilterError` for a filter that cannot be asked for.
  package init(identity: String, entity: Entity, clientKeyField: String) throws(FilterError) {
    self.identity = identity
    filter = try entity.filterConstraint()
    let names = entity.serializer?.wireKeys ?? entity.fields.map(\.name)
    keys = Set(names + [clientKeyField]).sorted()
    format = entity.fingerprint
  }

  /// A fingerprint of the whole scope, in 16 hexadecimal digits.
  package var fingerprint: String {
    // Lengths in front keep two different lists of parts from running together into one text.
    let rows = filter.map { WireJSON.text(.object($0.wire)) } ?? ""
    let parts = [identity, format, rows] + keys
    return Checksum.text(of: parts.map { "\($0.utf8.count):\($0)" }.joined().utf8)
  }
}
