// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// The outcome of an import of another library's objects.
public struct ObjectImportReport: Sendable, Equatable {
  /// The counts of one class.
  public struct Counts: Sendable, Equatable {
    /// Records that became rows.
    public var records = 0
    /// New objects that became new rows, which the next sync creates on the server.
    public var inserted = 0
    /// Rows that got unsent edits.
    public var edited = 0
    /// Rows that were deleted, which the next sync deletes on the server.
    public var deleted = 0
    /// Objects that the store had already.
    public var present = 0

    /// Counts of nothing.
    public init() {}

    /// Whether nothing changed.
    public var isUnchanged: Bool { records + inserted + edited + deleted == 0 }
  }

  /// The counts, by class.
  public private(set) var classes: [String: Counts] = [:]
  /// The objects and fields that were left out: one element for each class, field and reason.
  public private(set) var leftOut: [ObjectLeftOut] = []

  /// A report of nothing.
  public init() {}

  /// Whether the import changed nothing in the store.
  public var isUnchanged: Bool { classes.values.allSatisfy(\.isUnchanged) }

  mutating func count(
    _ what: WritableKeyPath<Counts, Int>, of className: String, _ number: Int = 1
  ) {
    guard number > 0 else { return }
    classes[className, default: Counts()][keyPath: what] += number
  }

  mutating func leaveOut(_ object: ObjectLeftOut) {
    let known = leftOut.firstIndex {
      $0.className == object.className && $0.field == object.field && $0.reason == object.reason
    }
    if let known { leftOut[known].count += object.count } else { leftOut.append(object) }
  }
}
