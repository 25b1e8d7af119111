// Ferry: offline-first sync for Parse Server. MIT licence.

/// The positions of the log's columns.
enum LogColumn {
  static let token = 0
  static let classNumber = 1
  static let author = 2
  static let kind = 3
  static let localID = 4
  static let lastID = 5
  static let objectID = 6
  static let acl = 7
  static let createdAt = 8
  static let updatedAt = 9
  /// The position of the first field's old value.
  static let values = 10
}
