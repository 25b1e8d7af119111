// Ferry: offline-first sync for Parse Server. MIT licence.

/// The names that the server and SQLite allow.
enum Names {
  /// Classes of the server itself that an app may read and write like any other class.
  static let systemClasses: Set<String> = ["_User", "_Role", "_Installation"]

  /// The fields that every record has on the server besides its declared fields.
  static let serverFields: Set<String> = [
    "objectId", "id", "createdAt", "updatedAt", "ACL", "className", "length", "constructor",
  ]

  /// The columns that every table has besides its fields' columns, and SQLite's names for a row's
  /// number.
  static let ownColumns: Set<String> = [
    "localid", "objectid", "acl", "createdat", "updatedat", "rowid", "oid", "_rowid_",
  ]

  /// A table or column that two names would share, for a sentence.
  static func shared(_ twin: String, _ name: String) -> String {
    "\"\(name)\"" + (twin == name ? "" : ", because SQLite does not tell upper from lower case")
  }

  /// The server's rule for the names of classes and fields.
  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
  }

  /// Whether SQL can use the name unquoted, judged by its characters.
  static func isSQLIdentifier(_ name: String) -> Bool {
    guard let first = name.utf8.first, !isDigit(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
  }

  static func isClass(_ name: String) -> Bool {
    isIdentifier(name) || systemClasses.contains(name)
  }

  static func isKeyword(_ name: String) -> Bool { keywords.contains(folded(name)) }

  /// A name as SQLite compares it: without regard to case, in ASCII.
  static func folded(_ name: String) -> String {
    String(decoding: name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// SQL keywords, which a name must avoid unless it is quoted.
  private static let keywords = Set(
    """
    add all alter and as autoincrement between case cast check collate commit constraint create \
    current_date current_time current_timestamp default deferrable delete distinct drop else \
    escape except exists foreign from group having if in index insert intersect into is isnull \
    join limit not nothing notnull null on or order primary raise references returning select \
    set table then to transaction union unique update using values when where
    """.split(separator: " ").map(String.init))
}
