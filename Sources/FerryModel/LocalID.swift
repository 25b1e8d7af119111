// Ferry: offline-first sync for Parse Server. MIT licence.

/// The app's stable key of a row.
///
/// It never changes, and Ferry never uses it for another row.
///
/// A row has its local id as soon as it is inserted, long before the server knows the row. Keep
/// this id in navigation state, notifications and drafts. The `objectId` changes once if the server
/// chooses its own id for a row created on this device.
///
/// ```swift
/// let league = try store.write { try $0.insert("League", ["name": "North"]) }
/// print(league.localID)  // 1
/// ```
public struct LocalID: RawRepresentable, Hashable, Sendable, Comparable, Codable,
  CustomStringConvertible
{
  /// The value of the row's `localId` column; 0 for a row that is not stored yet.
  public var rawValue: Int64

  /// Wraps the value of a `localId` column.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// The id of a row that is not stored yet.
  public init() { rawValue = 0 }

  /// Whether the row has been stored.
  public var isAssigned: Bool { rawValue > 0 }

  /// The number as text.
  public var description: String { String(rawValue) }

  /// Orders by age: a row inserted later has the greater id.
  public static func < (left: LocalID, right: LocalID) -> Bool { left.rawValue < right.rawValue }
}
