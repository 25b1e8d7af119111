// Ferry: offline-first sync for Parse Server. MIT licence.

// The two ways in which a row of a class changes.
extension LoopbackBackend {
  mutating func commit(_ row: Row, to className: String) {
    let before = publishes(className) ? tables[className]?.rows[row.objectId] : nil
    tables[className]?.store(row)
    noteLive(className, before: before, after: row)
    note(className, row.objectId, row)
  }

  mutating func commitRemoval(of objectId: String, from className: String) {
    let before = publishes(className) ? tables[className]?.rows[objectId] : nil
    guard tables[className]?.remove(objectId) == true else { return }
    noteLive(className, before: before, after: nil)
    note(className, objectId, nil)
  }

  private mutating func note(_ className: String, _ objectId: String, _ row: Row?) {
    guard configuration.keepsCommits else { return }
    commits.append(
      LoopbackCommit(
        className: className, objectId: objectId, fields: row?.fields,
        updatedAt: row?.updatedAt.text, acl: row?.access?.value))
  }
}
