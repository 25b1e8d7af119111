// Ferry: offline-first sync for Parse Server. MIT licence.

/// The entangled ids that a connection knows, by class.
///
/// They outlive a transaction, because an import has many of them. The connection notes what it adds itself. After a
/// commit of another connection, they are read anew, and after a transaction that is taken back. An id stays when
/// nothing concerns it any more: it costs no more than a question.
struct EntangledIDsOfClasses {
  private var ids: [String: EntangledIDs] = [:]
  /// SQLite's number of the content as other connections have left it.
  private var dataVersion: Int64?

  mutating func insert(_ objectID: String, of className: String) {
    ids[className]?.insert(objectID)
  }

  /// The ids of a class, if they were read since another connection wrote.
  mutating func known(_ className: String, at dataVersion: Int64) -> EntangledIDs? {
    if dataVersion != self.dataVersion {
      ids = [:]
      self.dataVersion = dataVersion
    }
    return ids[className]
  }

  /// Keeps the ids of a class that were read at the version of the last question.
  mutating func keep(_ entangled: EntangledIDs, of className: String) {
    ids[className] = entangled
  }
}
