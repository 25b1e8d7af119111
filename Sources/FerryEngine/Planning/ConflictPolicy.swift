// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryPlanning

/// Whose value stays when both sides changed the same field to different values.
///
/// Every value that loses is among the conflicts, and one call brings it back.
public enum ConflictPolicy: Sendable {
  /// The server's value stays. The default.
  case remoteWins
  /// The value from here stays and is sent.
  case localWins
  /// For each field a choice of its own; for fields not named, the server's value.
  case mergeFields([String: FieldChoice])
  /// The app decides, field by field.
  case resolve(@Sendable (Conflict) -> Value)

  /// The server's value stays wherever both sides changed a field, and all other changes of both stay.
  public static var mergeFields: ConflictPolicy { .mergeFields([:]) }
}

/// Whose value of one field stays.
public enum FieldChoice: Sendable, Hashable {
  /// The server's.
  case remote
  /// The one from here.
  case local
}

/// What stays when a record was deleted on one side and edited on the other.
public enum DeletionPolicy: Sendable, Hashable {
  /// The record goes; the losing edit is among the conflicts. The default.
  case deleteWins
  /// The record stays: it is created anew with its whole content, or the delete is taken back.
  case editWins
}

/// Both sides changed a field to different values.
public struct Conflict: Sendable, Equatable {
  /// The record, as it is named here.
  public var record: RecordReference
  /// The field.
  public var field: String
  /// What both sides had before.
  public var base: Value
  /// The value here.
  public var local: Value
  /// The server's value.
  public var remote: Value

  package init(record: RecordReference, field: String, base: Value, local: Value, remote: Value) {
    self.record = record
    self.field = field
    self.base = base
    self.local = local
    self.remote = remote
  }
}

/// The policies of all classes.
///
/// ```swift
/// let conflicts = ConflictPolicies.remoteWins.except(for: "Game", .mergeFields(["score": .local]))
/// ```
public struct ConflictPolicies: Sendable {
  private var standard: ConflictPolicy
  private var exceptions: [String: ConflictPolicy] = [:]
  private var deletions: [String: DeletionPolicy] = [:]

  /// One policy for every class.
  public init(_ policy: ConflictPolicy) { standard = policy }

  /// The server's value stays.
  public static let remoteWins = ConflictPolicies(.remoteWins)
  /// The value from here stays and is sent.
  public static let localWins = ConflictPolicies(.localWins)

  /// The same, with another policy for one class.
  public func except(for className: String, _ policy: ConflictPolicy) -> ConflictPolicies {
    var copy = self
    copy.exceptions[className] = policy
    return copy
  }

  /// The same, with another rule for edits that meet a delete in one class.
  public func deletions(in className: String, _ policy: DeletionPolicy) -> ConflictPolicies {
    var copy = self
    copy.deletions[className] = policy
    return copy
  }

  package func policy(for className: String) -> ConflictPolicy { exceptions[className] ?? standard }

  package func deletionPolicy(for className: String) -> DeletionPolicy {
    deletions[className] ?? .deleteWins
  }
}
