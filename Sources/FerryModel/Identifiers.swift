// Ferry: offline-first sync for Parse Server. MIT licence.

/// The app's stable key of a row: never changes and is never used again for another row.
///
/// A row has its local id from the moment it is inserted, long before the server has named it. Keep
/// this one in navigation state, notifications and drafts; `objectId` changes once, when the
/// server names a row that was created here.
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

/// Object ids that are made here for rows the server has not named yet.
///
/// A minted id is 20 lowercase hexadecimal digits: 80 random bits, twice as long as the ids of Parse
/// Server (10 letters and digits), so the two cannot be confused.
package enum MintedID {
  package static let length = 20

  /// Makes an id from 80 random bits.
  package static func make(using generator: inout some RandomNumberGenerator) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let characters = (0..<length).map { _ in
      digits[Int(UInt8.random(in: 0..<16, using: &generator))]
    }
    return String(decoding: characters, as: UTF8.self)
  }

  package static func matches(_ objectID: String) -> Bool {
    objectID.utf8.count == length
      && objectID.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}
