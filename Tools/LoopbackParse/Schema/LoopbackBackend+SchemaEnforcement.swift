// Ferry: offline-first sync for Parse Server. MIT licence.

/// Holds a write against the schema, and lets the schema grow by it.
extension LoopbackBackend {
  /// The table of a class that is about to be written; creates the class if clients may.
  mutating func openClass(_ className: String, for caller: Caller) throws(Refusal) {
    if tables[className] != nil { return }
    try checkClassMayBeNamed(className, by: caller)
    guard Names.isClassName(className) else {
      throw className.hasPrefix("_Join:") ? .notPermitted : Names.invalidClassOnWrite
    }
    tables[className] = ClassTable(
      schema: ClassSchema(className: className), collation: configuration.collation)
  }

  /// Refuses a client that names a class there is not, where clients may not create classes.
  func checkClassMayBeNamed(_ className: String, by caller: Caller) throws(Refusal) {
    guard tables[className] == nil, ClassSchema.builtIn[className] == nil, !caller.hasEveryRight,
      !configuration.allowClientClassCreation
    else { return }
    throw .notPermitted
  }

  /// Checks every field sent and declares the ones the class has not seen.
  mutating func enforceSchema(
    _ className: String, _ sent: [String: LoopbackValue], for caller: Caller
  ) throws(Refusal) {
    let newFields = try newFields(of: className, sent)
    guard !newFields.isEmpty else { return }
    try tables[className]?.schema.permissions.check(.addField, for: caller)
    for (name, type) in newFields {
      tables[className]?.schema.fields[name] = FieldDefinition(type: type)
    }
  }

  /// The fields and types that a write brings and the class lacks; a field of another type refuses.
  private func newFields(
    of className: String, _ sent: [String: LoopbackValue]
  ) throws(Refusal) -> [String: FieldType] {
    let known = tables[className]?.schema.fields ?? [:]
    var added: [String: FieldType] = [:]
    for (name, value) in sent.sorted(by: { $0.key < $1.key }) where name != "ACL" {
      guard var type = try TypeInference.type(of: value) else { continue }
      let root = String(name.prefix { $0 != "." })
      if root.utf8.count < name.utf8.count { type = .object }
      guard Names.isFieldName(root) else { throw Names.invalidField(root) }
      guard let expected = known[root]?.type ?? added[root] else {
        added[root] = type
        continue
      }
      guard expected == type else {
        throw Self.mismatch("\(className).\(root)", expected, type)
      }
    }
    return added
  }

  static func mismatch(_ what: String, _ expected: FieldType, _ given: FieldType) -> Refusal {
    .parse(111, "schema mismatch for \(what); expected \(expected) but got \(given)")
  }
}
