// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
package import LoopbackParse

extension TestServer {
  /// Declares a class, so that all its fields have types before the first row.
  package func declare(_ className: String, _ fields: Row) throws {
    try send(
      .post, "/schemas/\(className)", ["className": .string(className), "fields": .object(fields)])
  }

  /// Sets the permissions of a class, and creates the class if necessary.
  ///
  /// Operations that are not named are denied to everyone except the master key.
  package func setPermissions(of className: String, _ permissions: LoopbackValue) throws {
    let isThere = try classes()[className] != nil
    try send(
      isThere ? .put : .post, "/schemas/\(className)",
      ["className": .string(className), "classLevelPermissions": permissions])
  }

  /// Removes a field from a class, with its values.
  package func removeField(_ field: String, of className: String) throws {
    try send(
      .put, "/schemas/\(className)",
      ["className": .string(className), "fields": .object([field: ["__op": "Delete"]])])
  }

  /// The fields of all classes, by class; a plan must not change them.
  package func classes() throws -> Row {
    let list = try send(.get, "/schemas")["results"]?.array ?? []
    let named = list.map { ($0["className"]?.string ?? "", $0["fields"] ?? .null) }
    return Dictionary(named, uniquingKeysWith: { first, _ in first })
  }

  /// Removes all rows, and all classes except the server's internal ones.
  func empty() throws {
    for name in try classes().keys {
      try send(.delete, "/purge/\(name)")
      if !name.hasPrefix("_") { try send(.delete, "/schemas/\(name)") }
    }
    try send(.delete, "/purge/_Session")
  }
}
