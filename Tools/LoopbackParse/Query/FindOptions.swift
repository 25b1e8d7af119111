// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The parts of a query besides its conditions.
struct FindOptions {
  var limit = 0
  var skip = 0
  var order: [SortTerm] = []
  var counts = false
  /// Nil: all fields.
  var keys: Set<String>?
  var excludedKeys: Set<String> = []
  /// For an included field, the fields of the row it leads to that are asked for.
  var nestedKeys: [String: Set<String>] = [:]
  var includes: [[String]] = []
  /// The relation whose class the query uses instead of the named class.
  var redirectKey: String?
  /// Whether a user's own row carries the token of its session, as it does on its own.
  var showsOwnToken = false

  private static let known: Set<String> = [
    "where", "limit", "skip", "order", "count", "keys", "excludeKeys", "include", "includeAll",
    "redirectClassNameForKey", "readPreference", "includeReadPreference",
    "subqueryReadPreference", "hint", "explain", "comment",
  ]

  /// Only what decides the shape of rows.
  init(projectionOf parameters: [String: LoopbackValue]) {
    func names(_ parameter: String) -> [String]? {
      guard let value = parameters[parameter], value != .null else { return nil }
      let text = value.string ?? value.array?.compactMap(\.string).joined(separator: ",") ?? ""
      return text.split(separator: ",").map(String.init)
    }
    func roots(_ names: [String]) -> Set<String> {
      Set(names.map { String($0.prefix { $0 != "." }) })
    }
    for path in (names("keys") ?? []).map({ $0.split(separator: ".").map(String.init) })
    where path.count == 2 {
      nestedKeys[path[0], default: []].insert(path[1])
    }
    keys = names("keys").map(roots)
    excludedKeys = roots(names("excludeKeys") ?? [])
    includes = (names("include") ?? []).map { $0.split(separator: ".").map(String.init) }
    if parameters["includeAll"]?.isTruthy ?? false { includes.append(["*"]) }
  }

  init(
    _ parameters: [String: LoopbackValue], _ configuration: LoopbackConfiguration, isMaster: Bool
  ) throws(Refusal) {
    if let stranger = parameters.keys.filter({ !Self.known.contains($0) }).min() {
      throw .parse(102, "Invalid parameter for query: \(stranger)")
    }
    if parameters["explain"]?.isTruthy ?? false, !isMaster {
      throw .parse(102, "Using the explain query parameter requires the master key")
    }
    self.init(projectionOf: parameters)
    redirectKey = parameters["redirectClassNameForKey"]?.string
    counts = parameters["count"]?.isTruthy ?? false
    limit = configuration.defaultLimit
    if let given = parameters["limit"], given.isTruthy || given == 0 {
      limit = try Self.wholeNumber(given)
    }
    if let maximum = configuration.maxLimit { limit = min(limit, maximum) }
    if let given = parameters["skip"], given.isTruthy { skip = try Self.wholeNumber(given) }
    if let given = parameters["order"], given.isTruthy {
      let names = given.array?.map { $0.string ?? $0.text }.joined(separator: ",")
      order = try Self.terms(given.string ?? names ?? given.text)
    }
  }

  /// What PostgreSQL takes for LIMIT and OFFSET; all else is an error of the query.
  private static func wholeNumber(_ value: LoopbackValue) throws(Refusal) -> Int {
    let number = value.number ?? value.string.flatMap(Double.init)
    guard let number, number >= 0, number < 1e15 else { throw .queryFailed }
    return Int(number.rounded())
  }

  /// The names by which the server's database knows two columns; a query may sort by them.
  private static let columnNames = ["_created_at": "createdAt", "_updated_at": "updatedAt"]

  /// The terms in the order in which JavaScript keeps the keys of an object.
  ///
  /// A name given again changes the direction of its first place. A column's own name comes last, or
  /// changes the direction of the field's.
  private static func terms(_ text: String) throws(Refusal) -> [SortTerm] {
    var terms: [SortTerm] = []
    func set(_ term: SortTerm) {
      guard let index = terms.firstIndex(where: { $0.name == term.name }) else {
        terms.append(term)
        return
      }
      terms[index] = term
    }
    for given in text.split(separator: ",") {
      // Foundation goes through another encoding, and hardly any text needs that.
      let part =
        given.contains(where: \.isWhitespace)
        ? given.trimmingCharacters(in: .whitespaces)[...] : given
      set(
        SortTerm(
          name: String(part.first == "-" ? part.dropFirst() : part), descending: part.first == "-"))
    }
    for (column, field) in columnNames.sorted(by: { $0.key < $1.key }) {
      guard let index = terms.firstIndex(where: { $0.name == column }) else { continue }
      set(SortTerm(name: field, descending: terms.remove(at: index).descending))
    }
    for term in terms {
      for piece in term.name.split(separator: ".", omittingEmptySubsequences: false)
      where !Names.isPlain(String(piece)) {
        throw Names.invalidField(term.name)
      }
    }
    return terms
  }
}
