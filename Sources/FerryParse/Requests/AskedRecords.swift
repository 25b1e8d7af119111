// Ferry: offline-first sync for Parse Server. MIT licence.

/// The records to ask a server for, so that none is missing for which a condition may hold.
///
/// Where the server would decide a condition differently, more records are asked for, and the store decides.
package struct AskedRecords: Sendable, Equatable {
  package enum Selection: Sendable, Equatable {
    case everything
    /// The condition can hold for no record of the server.
    case nothing
    case some(ParseConstraint)
  }

  package var selection: Selection
  /// Whether the condition holds for each of these records.
  package var isExact: Bool

  init(_ selection: Selection, isExact: Bool) {
    self.selection = selection
    self.isExact = isExact
  }

  static let nothing = AskedRecords(.nothing, isExact: true)
  /// All records, of which the store looks at each.
  static let undecided = AskedRecords(.everything, isExact: false)

  static func exactly(_ constraint: ParseConstraint) -> AskedRecords {
    AskedRecords(.some(constraint), isExact: true)
  }

  static func among(_ constraint: ParseConstraint) -> AskedRecords {
    AskedRecords(.some(constraint), isExact: false)
  }

  /// The records that are in all parts.
  static func all(_ parts: [AskedRecords]) -> AskedRecords {
    if parts.contains(where: { $0.selection == .nothing }) { return .nothing }
    let constraints = parts.compactMap(\.constraint)
    let isExact = parts.allSatisfy(\.isExact)
    switch constraints.count {
    case 0: return AskedRecords(.everything, isExact: isExact)
    case 1: return AskedRecords(.some(constraints[0]), isExact: isExact)
    default: return AskedRecords(.some(.all(constraints)), isExact: isExact)
    }
  }

  /// The records that are in at least one part.
  static func any(_ parts: [AskedRecords]) -> AskedRecords {
    let parts = parts.filter { $0.selection != .nothing }
    if let whole = parts.first(where: { $0.selection == .everything }) {
      return AskedRecords(.everything, isExact: parts.contains { $0 == whole && $0.isExact })
    }
    let constraints = parts.compactMap(\.constraint)
    let isExact = parts.allSatisfy(\.isExact)
    switch constraints.count {
    case 0: return .nothing
    case 1: return AskedRecords(.some(constraints[0]), isExact: isExact)
    default: return AskedRecords(.some(.any(constraints)), isExact: isExact)
    }
  }

  private var constraint: ParseConstraint? {
    if case .some(let constraint) = selection { constraint } else { nil }
  }
}
