// Ferry: offline-first sync for Parse Server. MIT licence.

extension Fields {
  /// The name of the access list among edited values: that of its column, which no field can have.
  public static let accessList = "acl"

  /// The values of declared fields alone.
  package var withoutAccessList: Fields {
    guard values[Self.accessList] != nil else { return self }
    var fields = self
    fields.values[Self.accessList] = nil
    return fields
  }
}

extension Record {
  /// All that an app can edit of a row: the fields, and the access list in the form in which lists are compared.
  ///
  /// A row without a list says nothing about it: the record has the list of its create, or the one of the server. Otherwise a
  /// program that leaves the column out would open a record.
  package var contents: Fields {
    get { fields.including(accessList: acl) }
    set {
      fields = newValue.withoutAccessList
      acl = newValue[Fields.accessList] ?? .null
    }
  }

  /// The same row, with the server's access list where it has none.
  package func completed(by acl: Value) -> Record {
    guard self.acl.isNull, !acl.isNull else { return self }
    var record = self
    record.acl = acl
    return record
  }
}

extension ServerRecord {
  /// The fields that have a value, by name, and the access list in the form in which lists are compared.
  package func contents(of entity: Entity) -> Fields {
    fields(of: entity).including(accessList: acl.servedAccessList)
  }
}

extension Entity {
  /// The names of all that an app can edit of a row: the fields, and the access list.
  package var contentNames: Set<String> { Set(fields.map(\.name)).union([Fields.accessList]) }
}

extension Fields {
  /// These fields and an access list, unless that is null.
  package func including(accessList acl: Value) -> Fields {
    guard !acl.isNull else { return self }
    var contents = self
    contents[Self.accessList] = acl.comparableAccessList
    return contents
  }
}

extension Value {
  /// Why a record cannot have the value as its access list; nil if it can.
  package var objectionAsAccessList: String? {
    guard let list = AccessList(self) else {
      return "The value is no access list: Parse writes one as {\"*\":{\"read\":true}}."
    }
    return list.objection
  }

  /// The access list of a row in the form in which lists are compared; null if the row says nothing of it.
  ///
  /// A right that is false is left out. A value that is no list stays as it is.
  package var comparableAccessList: Value { AccessList(self)?.value ?? self }

  /// The access list that a server sent, in the same form.
  ///
  /// Parse Server treats a record without a list as one that is open to everyone.
  package var servedAccessList: Value {
    isNull ? AccessList.open.value : comparableAccessList
  }
}
