// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The policies of all classes.
///
/// ```swift
/// let conflicts = ConflictPolicies.remoteWins
///   .except(for: "Game", .choosingByField(["score": .local]))
/// ```
public struct ConflictPolicies: Sendable {
  private var standard: ConflictPolicy
  private var exceptions: [String: ConflictPolicy] = [:]
  private var deletions: [String: DeletionPolicy] = [:]

  /// One policy for every class.
  public init(_ policy: ConflictPolicy) { standard = policy }

  /// The server's value stays.
  public static let remoteWins = ConflictPolicies(.remoteWins)
  /// The local value stays and is sent.
  public static let localWins = ConflictPolicies(.localWins)

  /// The same policies, with another policy for one class.
  public func except(for className: String, _ policy: ConflictPolicy) -> ConflictPolicies {
    var copy = self
    copy.exceptions[className] = policy
    return copy
  }

  /// The same policies, with another rule for conflicts between edits and deletes in one class.
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
