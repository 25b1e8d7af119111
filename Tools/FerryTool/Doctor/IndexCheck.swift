// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// Whether the classes have an index in the order in which a pull asks, and how to make it.
struct IndexCheck {
  var classNames: [String]
  var findings: ServerExamination
  /// Whether the command should make indexes.
  var isMaking = false

  /// The database that runs the classes; nil if its refusals do not show it.
  var database: ServerExamination.Database? {
    classNames.lazy.compactMap(findings.database).first
  }

  /// The classes without it, among those that are there; nil where nobody can tell.
  var missing: [String]? {
    guard case .answer(let indexes) = findings.indexes else { return nil }
    return classNames.filter { name in
      indexes[name].map { !$0.contains { $0.contains("updatedAt") || $0.contains("_updated_at") } }
        ?? false
    }
  }

  /// The classes for which `ferry doctor` can make it.
  var makeable: [String] { database == .postgreSQL ? missing ?? [] : [] }

  var check: Check? {
    guard classNames.contains(where: { findings.isParseServer(answering: .rows(of: $0)) }) else {
      return nil
    }
    guard let missing else { return unseen }
    let failed = missing.filter { !findings.hasMadeIndex(on: $0) }
    if failed.isEmpty {
      let made = missing.isEmpty ? "" : " Made now: \(missing.joined(separator: ", "))."
      return Check("index", .ok, "The classes have an index on updatedAt.\(made)")
    }
    let refusals = failed.compactMap(refusal).map { " \($0)" }.joined()
    let names = failed.joined(separator: ", ")
    let isElsewhere = isMaking && database != .postgreSQL
    return Check(
      "index", isMaking ? .problem(.noPermission) : .notice,
      "No index in the order of changes: \(names). The server reads the whole class for each "
        + "download.\(refusals)"
        + (isElsewhere ? " No index was made: ferry makes it on PostgreSQL only." : ""),
      advice: (database == .postgreSQL ? "\"ferry doctor --write --make-index\" makes it. " : "")
        + way,
      commands: commands(for: failed))
  }

  /// The check without the master key, which alone shows the indexes.
  private var unseen: Check {
    let loss = "Without an index, the server reads the whole class for each download."
    guard isMaking else {
      return Check(
        "index", .unknown,
        "Only the master key can see whether the classes have an index in the order of changes.",
        advice: "\(loss) \(way)", commands: commands(for: classNames))
    }
    let key = findings.server.usesMasterKey ? "a right \"masterKeyFile\"" : "a \"masterKeyFile\""
    return Check(
      "index", .problem(.noPermission),
      "No index was made: only the master key may see and make the indexes of a class.",
      advice: "Name \(key) in ferry.json, then ask again. \(loss) \(way)",
      commands: commands(for: classNames))
  }

  /// How it is made; followed by the commands.
  private var way: String {
    switch database {
    case .postgreSQL: "To make it with the master key:"
    case .mongoDB: "To make it in the shell of the database:"
    case nil: "To make it with the master key on PostgreSQL, or in the shell of MongoDB:"
    }
  }

  private func commands(for names: [String]) -> [String] {
    let mount = findings.server.url.absoluteString.trimmedSlashes
    let puts = names.map { "PUT \(mount)/schemas/\($0) \(ServerExamination.indexBody(on: $0))" }
    let shell = names.map { "db.\($0).createIndex({ _updated_at: 1, _id: 1 })" }
    return switch database {
    case .postgreSQL: puts
    case .mongoDB: shell
    case nil: puts + shell
    }
  }

  private func refusal(_ className: String) -> String? {
    switch findings.indexCreation(on: className) {
    case .answer, .notAsked: nil
    case .refused(let error): error.description
    case .failed(let error): error.message
    }
  }
}

extension ServerExamination {
  func hasMadeIndex(on className: String) -> Bool {
    if case .answer = indexCreation(on: className) { true } else { false }
  }
}

extension String {
  fileprivate var trimmedSlashes: Substring {
    var text = self[...]
    while text.hasSuffix("/") { text = text.dropLast() }
    return text
  }
}
