// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
package import LoopbackParse
import Synchronization

/// The rules of a story's triggers, as data: the double and Cloud Code read the same.
package struct ServerRules: Sendable {
  /// The rules of one class.
  struct ClassRules: Sendable {
    /// Ids that finds leave out.
    var hidden: Set<String> = []
    /// The operations that the permissions of the class deny to everybody but the owner.
    var denied: Set<String> = []
    var refusals: [Refusal] = []
    /// Values that the server stores instead of those that were sent.
    var values: [String: LoopbackValue] = [:]
    /// The access list of new rows; nil for that of the request.
    ///
    /// `creator` in it means the user who creates the row. A row created without a user keeps the list of
    /// the request.
    var newAccess: LoopbackValue?
  }

  /// Writes that would give a field that value are refused.
  struct Refusal: Sendable {
    var field: String
    var value: LoopbackValue
    var code: Int
  }

  var classes: [String: ClassRules] = [:]

  /// The rules as JSON, for Cloud Code.
  package var json: LoopbackValue {
    .object(
      classes.mapValues { rules in
        [
          "hidden": .array(rules.hidden.sorted().map(LoopbackValue.string)),
          "refusals": .array(
            rules.refusals.map {
              ["field": .string($0.field), "value": $0.value, "code": .number(Double($0.code))]
            }),
          "values": .object(rules.values), "newAccess": rules.newAccess ?? .null,
        ]
      })
  }
}

/// Rules that a story changes while the double's triggers keep to them.
final class RuleBook: Sendable {
  private let rules = Mutex(ServerRules())

  var current: ServerRules { rules.withLock { $0 } }

  func change(_ className: String, _ change: (inout ServerRules.ClassRules) -> Void) {
    rules.withLock { change(&$0.classes[className, default: ServerRules.ClassRules()]) }
  }

  /// The double's triggers of a class.
  func triggers(of className: String) -> LoopbackTriggers {
    LoopbackTriggers(
      beforeSave: { save in
        guard let rules = self.current.classes[className] else { return }
        for refusal in rules.refusals where save.changes[refusal.field] == refusal.value {
          throw LoopbackError(code: refusal.code, message: "The story refuses this value.")
        }
        save.changes.merge(rules.values) { _, new in new }
        if save.original == nil, let list = rules.newAccess?.object?.granted(to: save.userId) {
          save.changes["ACL"] = .object(list)
        }
      },
      afterFind: { rows in
        let hidden = self.current.classes[className]?.hidden ?? []
        guard !hidden.isEmpty else { return rows }
        return rows.filter { !hidden.contains($0["objectId"]?.string ?? "") }
      })
  }
}

extension [String: LoopbackValue] {
  /// The access list of a row that a user creates; nil where it is for a creator, and that is nobody.
  fileprivate func granted(to user: String?) -> [String: LoopbackValue]? {
    guard let grant = self["creator"] else { return self }
    return user.map { [$0: grant] }
  }
}
