// Ferry: offline-first sync for Parse Server. MIT licence.

/// An index of a class's table, by which the store finds and orders rows without a look at each row.
///
/// ```swift
/// Entity("Game") {
///   Field("title", .text)
///   Field("league", .pointer(to: "League"))
/// }
/// .indexes(Index("league", "title"), Index("updatedAt"))
/// ```
///
/// An index of several fields serves conditions of its first field, of its first two, and so on. It costs room in
/// the file and some time at each write.
public struct Index: Sendable, Hashable {
  /// Declared fields, `objectId`, `createdAt` or `updatedAt`, the one that decides first in front.
  public var fields: [String]

  /// An index of one or several fields.
  public init(_ fields: String...) { self.init(fields) }

  /// An index of a list of fields.
  public init(_ fields: [String]) { self.fields = fields }
}
