// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// What a listing is of: whose rows, of which class, which of them, and which of their fields.
package struct ListingScope: Equatable, Sendable {
  /// The store, the server and the user.
  package var identity: String
  package var entity: String
  /// The names asked for on the wire, each once, in the order of their bytes.
  package var keys: [String]
  /// The declared fields with their types: a type that changed reads the same text otherwise.
  private var fields: [String]
  /// Which rows, as text; all of them when nil.
  package var filter: String?

  /// - Parameters:
  ///   - identity: Names the store, the server and the user.
  ///   - entity: The class.
  ///   - clientKeyField: The field that carries Ferry's key of a create.
  package init(identity: String, entity: Entity, clientKeyField: String) {
    self.identity = identity
    self.entity = entity.name
    let names = entity.serializer?.wireKeys ?? entity.fields.map(\.name)
    keys = Set(names + [clientKeyField]).sorted()
    fields = entity.fields.map { "\($0.name):\($0.type)" }.sorted()
  }

  /// Stands for all of it, in 16 hexadecimal digits.
  package var fingerprint: String {
    let parts = [[identity, entity], keys, fields, [filter ?? ""]]
    // Lengths in front keep two different lists from running together into one text.
    let text = parts.map { part in part.map { "\($0.utf8.count):\($0)" }.joined() }
    return Checksum.text(of: text.map { "[\($0)]" }.joined().utf8)
  }
}

extension ListingScope: Hashable {
  package func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}
