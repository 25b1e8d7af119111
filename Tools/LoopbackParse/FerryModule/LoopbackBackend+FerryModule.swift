// Ferry: offline-first sync for Parse Server. MIT licence.

/// The functions of Ferry's Cloud Code, as `Tools/CloudCode` has them in JavaScript.
extension LoopbackBackend {
  /// The answer of one of the module's functions; nil if the server has no such function.
  mutating func runModule(_ name: String, _ call: Call) throws(Refusal) -> LoopbackValue? {
    guard let module = ferryModule else { return nil }
    let parameters = call.fields.merging(call.texts) { _, fromURL in fromURL }
    switch name {
    case "ferryModule": return Self.description(of: module)
    case "ferryRemoved":
      let className = try Self.checkedClass(parameters["class"], module.classes)
      let ids = try Self.checkedIDs(parameters["ids"])
      return [
        "protocol": 1, "class": .string(className),
        "removed": try missing(className, ids, for: call.caller),
      ]
    case "syncRemoved":
      let only = module.classes.count == 1 ? module.classes.first.map(LoopbackValue.string) : nil
      let className = try Self.checkedClass(parameters["className"] ?? only, module.classes)
      return try missing(className, try Self.checkedIDs(parameters["ids"]), for: call.caller)
    case "ferryDeletions":
      let className = try Self.checkedClass(parameters["class"], module.logged)
      var answer = try deletions(of: className, parameters, module, for: call.caller)
      answer["protocol"] = 1
      answer["class"] = .string(className)
      return .object(answer)
    default: return nil
    }
  }

  /// The greatest number of ids in a request, and of ids in an answer of the log.
  static let modulePageLimit = 1000

  private static func description(of module: LoopbackFerryModule) -> LoopbackValue {
    [
      "name": "ferry", "version": "1.0.0", "protocol": 1,
      "pageLimit": .number(Double(modulePageLimit)), "logDays": .number(Double(module.days)),
      "removed": .array(module.classes.sorted().map(LoopbackValue.string)),
      "deletions": .array(module.logged.sorted().map(LoopbackValue.string)),
    ]
  }

  private static func checkedClass(
    _ given: LoopbackValue?, _ classes: [String]
  ) throws(Refusal) -> String {
    guard let name = given?.string, classes.contains(name) else {
      throw .parse(103, "Ferry's module is not set up for this class.")
    }
    return name
  }

  private static func checkedIDs(_ given: LoopbackValue?) throws(Refusal) -> [String] {
    let mistake = Refusal.parse(142, "\"ids\" must be a list of texts.")
    guard let list = given?.array else { throw mistake }
    guard list.count <= modulePageLimit else {
      throw .parse(142, "\"ids\" may have \(modulePageLimit) elements.")
    }
    let ids = list.compactMap(\.string).filter { !$0.isEmpty && $0.utf16.count <= 200 }
    guard ids.count == list.count else { throw mistake }
    return ids
  }

  /// The ids that no query of the caller shows, once each and in their order.
  private func missing(
    _ className: String, _ ids: [String], for caller: Caller
  ) throws(Refusal) -> LoopbackValue {
    let list = LoopbackValue.array((ids.isEmpty ? ["-"] : ids).map(LoopbackValue.string))
    try checkClassMayBeNamed(className, by: caller)
    let rows = try rows(of: className, matching: ["objectId": ["$in": list]], for: caller)
    var shown = rows.map { $0.value(fileAddress: fileAddress) }
    if let afterFind = configuration.triggers[className]?.afterFind { shown = afterFind(shown) }
    var known = Set(shown.compactMap { $0["objectId"]?.string })
    return .array(ids.filter { known.insert($0).inserted }.map(LoopbackValue.string))
  }
}
