// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// A record from the server that could not be imported, kept as it arrived.
public struct QuarantinedRecord: Sendable, Equatable {
  /// The class.
  public var className: String
  /// The server's id; if the record has none, a text that identifies it.
  public var objectID: String
  /// The version that could not be imported; nil if the record has none.
  public var version: ServerVersion?
  /// When the server created the record, if that could be read.
  public var createdAt: Timestamp?
  /// The record's JSON, as received.
  public var raw: String
  /// The reason, as a sentence.
  public var reason: String
  /// The schema under which the import failed; another schema tries it again.
  package var schemaFingerprint: String

  package init(
    className: String, objectID: String, version: ServerVersion?, createdAt: Timestamp? = nil,
    raw: String, reason: String, schemaFingerprint: String
  ) {
    self.className = className
    self.objectID = objectID
    self.version = version
    self.createdAt = createdAt
    self.raw = raw
    self.reason = reason
    self.schemaFingerprint = schemaFingerprint
  }
}

extension QuarantinedRecord {
  /// The place of the schema's fingerprint in a record that can be read under it.
  static let refusedFingerprint = "refused by the store"

  /// The place of the schema's fingerprint in a record that the next sync fetches again.
  private static let retriedFingerprint = "to be tried again"

  /// Whether a rule of another program, as a CHECK or a trigger, keeps the record out of its table.
  ///
  /// Nobody says when the rule goes, so each sync tries such a record again.
  public var isRefusedByStore: Bool { schemaFingerprint == Self.refusedFingerprint }

  /// Whether no program with the present fields of the class has tried to read the record.
  package func mayBeReadable(as entity: Entity) -> Bool {
    !isRefusedByStore && schemaFingerprint != entity.readingFingerprint
  }

  /// Lets the next sync fetch the record again.
  ///
  /// - Parameter entity: The record's class.
  /// - Returns: Whether this changed anything. A sync tries some records in any case, and can ask for none without an id.
  package mutating func retry(as entity: Entity) -> Bool {
    let hasID = objectID != Self.name(ofRecordWithoutID: raw)
    guard hasID, !isRefusedByStore, !mayBeReadable(as: entity) else { return false }
    schemaFingerprint = Self.retriedFingerprint
    return true
  }
}
