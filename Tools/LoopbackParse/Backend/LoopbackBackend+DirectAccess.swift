// Ferry: offline-first sync for Parse Server. MIT licence.

/// The server's own hand on its rows: with every right, for the set-up and the checks of a test.
extension LoopbackBackend {
  /// Creates a row by the same rules as a request with the master key.
  ///
  /// An `objectId` among the fields is used as it is, whatever the configuration says.
  ///
  /// - Parameters:
  ///   - className: the class; it is created if need be.
  ///   - fields: the fields, an object.
  /// - Returns: the new row's object id.
  /// - Throws: ``LoopbackError`` where a rule refuses the row, with nothing stored.
  @discardableResult
  public mutating func create(
    _ className: String, _ fields: LoopbackValue
  ) throws(LoopbackError) -> String {
    var members = fields.object ?? [:]
    let chosen = members.removeValue(forKey: "objectId")?.string
    return try asMaster { backend, call throws(Refusal) in
      if let chosen {
        guard backend.tables[className]?.rows[chosen] == nil else { throw .duplicateValue }
        backend.nextObjectId = chosen
      }
      return try backend.insert(className, members, call).row.objectId
    }
  }

  /// Updates a row by the same rules as a request with the master key.
  ///
  /// - Parameters:
  ///   - className: the class.
  ///   - objectId: the row.
  ///   - changes: the fields to change, or operations on them.
  /// - Throws: ``LoopbackError``, code 101 if there is no such row.
  public mutating func update(
    _ className: String, _ objectId: String, _ changes: LoopbackValue
  ) throws(LoopbackError) {
    try asMaster { backend, call throws(Refusal) in
      _ = try backend.change(className, objectId, changes.object ?? [:], call)
    }
  }

  /// Deletes a row.
  ///
  /// - Parameters:
  ///   - className: the class.
  ///   - objectId: the row.
  /// - Throws: ``LoopbackError``, code 101 if there is no such row.
  public mutating func delete(_ className: String, _ objectId: String) throws(LoopbackError) {
    try asMaster { backend, call throws(Refusal) in
      _ = try backend.delete(className, objectId, call)
    }
  }

  /// The names of all files, also of those that no row names.
  public var fileNames: [String] { files.keys.sorted() }

  /// All rows of a class as a client with every right would read them, by object id.
  ///
  /// - Parameter className: the class; one that does not exist has no rows.
  /// - Returns: the rows, each an object with `objectId`, `createdAt`, `updatedAt` and its fields.
  public func objects(of className: String) -> [LoopbackValue] {
    (tables[className]?.rows ?? [:]).values
      .sorted { $0.objectId < $1.objectId }
      .map { $0.value(fileAddress: fileAddress) }
  }

  /// The contents of all files, by the server's names.
  public var fileContents: [String: [UInt8]] { files.mapValues(\.bytes) }

  /// One row as a client with every right would read it.
  ///
  /// - Parameters:
  ///   - className: the class.
  ///   - objectId: the row.
  /// - Returns: the row, or nil if there is none.
  public func object(_ className: String, _ objectId: String) -> LoopbackValue? {
    tables[className]?.rows[objectId]?.value(fileAddress: fileAddress)
  }

  /// How many rows a class has.
  ///
  /// - Parameter className: the class; one that does not exist has none.
  /// - Returns: the number of rows.
  public func count(of className: String) -> Int { tables[className]?.rows.count ?? 0 }

  /// Sets a class's permissions, as `PUT /schemas/…` does.
  ///
  /// - Parameters:
  ///   - className: the class; it is created if need be.
  ///   - permissions: the block; operations it does not name are denied to all but the master key.
  /// - Throws: ``LoopbackError`` for a name or a block that is not valid.
  public mutating func setPermissions(
    of className: String, _ permissions: LoopbackValue
  ) throws(LoopbackError) {
    try asMaster { backend, call throws(Refusal) in
      try backend.openClass(className, for: call.caller)
      backend.tables[className]?.schema.permissions = try ClassPermissions(permissions)
    }
  }

  /// Ends all sessions, as an administrator may at any time: each token is invalid from now on.
  public mutating func revokeAllSessions() {
    sessionIds = [:]
    tables["_Session"]?.removeAll()
  }

  private mutating func asMaster<Result>(
    _ work: (inout LoopbackBackend, Call) throws(Refusal) -> Result
  ) throws(LoopbackError) -> Result {
    let call = Call(method: "direct", path: "", body: [:], caller: .master, stamp: now)
    do throws(Refusal) {
      return try work(&self, call)
    } catch {
      throw error.error
    }
  }
}
