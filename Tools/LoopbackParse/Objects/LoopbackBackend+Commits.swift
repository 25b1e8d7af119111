// Ferry: offline-first sync for Parse Server. MIT licence.

// The two ways in which a row of a class changes.
extension LoopbackBackend {
  mutating func commit(_ row: Row, to className: String) {
    tables[className]?.store(row)
    note(className, row.objectId, row.fields, row.access)
  }

  mutating func commitRemoval(of objectId: String, from className: String) {
    guard tables[className]?.remove(objectId) == true else { return }
    note(className, objectId, nil, nil)
  }

  private mutating func note(
    _ className: String, _ objectId: String, _ fields: [String: LoopbackValue]?,
    _ access: AccessList?
  ) {
    guard configuration.keepsCommits else { return }
    commits.append(
      LoopbackCommit(
        className: className, objectId: objectId, fields: fields, acl: access?.value))
  }
}
