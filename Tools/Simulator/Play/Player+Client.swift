// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import LoopbackParse

// The client that writes to the server beside all devices.
extension Player {
  /// Carries an edit out on the server.
  ///
  /// - Returns: The edit; where a flag marks deleted rows, setting it instead of a delete; nil if the row, or
  ///   one that it points to, is not there.
  func makeAsClient(_ edit: Edit) throws -> Edit? {
    switch edit {
    case .insert(_, let className, let fields):
      guard let members = members(fields) else { return nil }
      let given = members.filter { $0.value["__op"] == nil }
      guard try write({ try $0.create(className, .object(addingUndeclared(given))) }) else {
        return nil
      }
    case .set(let row, let fields):
      guard let place = place(of: row), let members = members(fields),
        try write({
          try $0.update(place.className, place.objectID, .object(addingUndeclared(members)))
        })
      else { return nil }
      if world.madeClass(place.className)?.isMistyped(fields) == true {
        oracle.retypedField(of: place.className)
      }
    case .delete(let row):
      guard let place = place(of: row) else { return nil }
      guard let flag = oracle.classes.flag(of: place.className) else {
        try server.change { try $0.delete(place.className, place.objectID) }
        break
      }
      try server.change { backend in
        try backend.update(place.className, place.objectID, .object([flag: true]))
      }
      return .set(row, [flag: .flag(true)])
    case .allow(let row, let access):
      guard world.settings.hasUsers, let place = place(of: row) else { return nil }
      let list = access.list { server.ids[$0] ?? $0.rawValue }
      try server.change { backend in
        try backend.update(place.className, place.objectID, .object(["ACL": list]))
      }
    }
    return edit
  }

  /// Writes as the other client does.
  ///
  /// - Returns: Whether the server took it. A field that was dropped cannot be cleared, and one that has come back
  ///   with another type takes no values of the former.
  private func write<Result>(_ body: (inout LoopbackBackend) throws -> Result) throws -> Bool {
    do {
      _ = try server.change(body)
      return true
    } catch let error as LoopbackError where [1, 111].contains(error.code) {
      guard world.settings.hasSchemaChanges else { throw error }
      return false
    }
  }

  /// The server's owner changes what everybody may do with a class.
  func allow(_ access: ClassAccess, of className: String) {
    guard let made = world.classes.first(where: { $0.name == className }) else { return }
    server.change {
      try? $0.setPermissions(of: className, access.permissions(isPrivate: made.isPrivateByRule))
    }
    oracle.rights.note(className, access)
    if access == .needsLogin { mayNeedLogin = true }
  }

  /// The server's owner drops the later field of a class.
  ///
  /// - Returns: The field; nil where it was not there.
  func dropFieldAsOwner(of className: String) throws -> String? {
    guard let field = oracle.classes.later(of: className) else { return nil }
    let answer = server.answer(
      LoopbackRequest(
        "PUT", "/parse/schemas/\(className)",
        headers: ["X-Parse-Application-Id": "app1", "X-Parse-Master-Key": "mk"],
        json: [
          "className": .string(className),
          "fields": .object([field: ["__op": "Delete"]]),
        ]))
    return answer.status == 200 ? field : nil
  }

  /// A request that changes fields of a row, with the stamp of this moment; nil if the row is not there.
  func lateRequest(for edit: Edit) -> LoopbackRequest? {
    guard case .set(let row, let fields) = edit, let place = place(of: row),
      let members = members(fields)
    else { return nil }
    var request = LoopbackRequest(
      "PUT", "/parse/classes/\(place.className)/\(place.objectID)",
      headers: ["X-Parse-Application-Id": "app1", "X-Parse-Master-Key": "mk"],
      json: .object(members))
    request.receivedAt = clock.date
    return request
  }

  /// The members, with a value of a field that no device declares.
  private func addingUndeclared(_ members: [String: LoopbackValue]) -> [String: LoopbackValue] {
    guard world.settings.hasSchemaChanges else { return members }
    var members = members
    members[world.undeclaredField] = [
      "at": .number(Double(clock.milliseconds)), "of": ["c", 1],
    ]
    return members
  }

  private func members(_ fields: [String: Content]) -> [String: LoopbackValue]? {
    var members: [String: LoopbackValue] = [:]
    for (field, content) in fields {
      guard let value = content.loopbackValue(pointer: { place(of: $0) }) else { return nil }
      if field == Fields.accessList {
        // A list that is cleared would be one that names nobody.
        members["ACL"] = content == .empty ? ["*": ["read": true, "write": true]] : value
      } else {
        members[field] = value
      }
    }
    return members
  }

  /// Where the server has a row that is not marked as removed.
  func place(of name: String) -> Pointer? {
    for made in world.classes {
      for row in server.rows(of: made.name)
      where row[made.title]?.string == name && made.flag.map({ row[$0] != true }) ?? true {
        return row["objectId"]?.string.map { Pointer(className: made.name, objectID: $0) }
      }
    }
    return nil
  }
}
