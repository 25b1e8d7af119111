// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
package import LoopbackParse

extension TestServer {
  /// Declares a class, so that all its fields have their types before the first row.
  package func declare(_ className: String, _ fields: Row) throws {
    try send(
      .post, "/schemas/\(className)", ["className": .string(className), "fields": .object(fields)])
  }

  /// Sets who may do what with a class, which is made if it is not there.
  ///
  /// Operations that are not named are denied to all but the master key.
  package func setPermissions(of className: String, _ permissions: LoopbackValue) throws {
    let isThere = try classes()[className] != nil
    try send(
      isThere ? .put : .post, "/schemas/\(className)",
      ["className": .string(className), "classLevelPermissions": permissions])
  }

  /// The fields of all classes, by class: what a write that was only planned must not change.
  package func classes() throws -> Row {
    let list = try send(.get, "/schemas")["results"]?.array ?? []
    let named = list.map { ($0["className"]?.string ?? "", $0["fields"] ?? .null) }
    return Dictionary(named, uniquingKeysWith: { first, _ in first })
  }

  /// Removes all rows and all classes but the server's own.
  func empty() throws {
    for name in try classes().keys {
      try send(.delete, "/purge/\(name)")
      if !name.hasPrefix("_") { try send(.delete, "/schemas/\(name)") }
    }
    try send(.delete, "/purge/_Session")
  }
}
