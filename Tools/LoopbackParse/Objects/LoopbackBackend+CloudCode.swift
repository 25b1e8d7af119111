// Ferry: offline-first sync for Parse Server. MIT licence.

/// Where writes and reads pass through the triggers of their class.
extension LoopbackBackend {
  /// Runs `beforeSave`; returns the fields it changed, for the answer to the client.
  func runBeforeSave(
    _ className: String, original objectId: String?, _ fields: inout [String: LoopbackValue],
    _ caller: Caller
  ) throws(Refusal) -> [String: LoopbackValue] {
    guard let trigger = configuration.triggers[className]?.beforeSave else { return [:] }
    var original: LoopbackValue?
    if let objectId {
      guard let row = tables[className]?.rows[objectId], caller.mayRead(row) else {
        throw .objectNotFound
      }
      original = row.value(fileAddress: fileAddress)
    }
    var save = LoopbackSave(
      className: className, original: original, changes: fields, userId: caller.userId,
      isMaster: caller.isMaster)
    do { try trigger(&save) } catch { throw Self.refusal(ofCloudCode: error) }
    var changed: [String: LoopbackValue] = [:]
    for (name, value) in save.changes where value != fields[name] {
      if value["__op"] == nil || value["__op"] == "Delete" { changed[name] = value }
    }
    fields = save.changes
    return changed
  }

  func runBeforeDelete(_ className: String, _ row: Row) throws(Refusal) {
    guard let trigger = configuration.triggers[className]?.beforeDelete else { return }
    do {
      try trigger(row.value(fileAddress: fileAddress))
    } catch {
      throw Self.refusal(ofCloudCode: error)
    }
  }
}
