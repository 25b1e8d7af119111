// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Where a request goes.
enum Route: Equatable {
  case find(String)
  case create(String)
  case get(String, String)
  case update(String, String)
  case delete(String, String)
  case currentUser, login, logout, loginAs, verifyPassword, passwordReset
  case currentSession
  case listSchemas
  case getSchema(String)
  case createSchema(String?)
  case updateSchema(String)
  case deleteSchema(
    String)
  case purge(String)
  case distinct(String)
  case function(String)
  case job
  case getSettings, updateSettings, serverInfo
  case batch

  private static let percent = UInt8(ascii: "%")

  /// A part of a path whose percent encoding is none.
  static func brokenPart(of path: String) -> String? {
    guard path.utf8.contains(percent) else { return nil }
    return path.split(separator: "/").map(String.init).first { $0.removingPercentEncoding == nil }
  }

  /// Whether a path is one of files, whose bodies are not JSON.
  static func isFile(_ path: String) -> Bool { path == "/files" || path.hasPrefix("/files/") }

  /// Express does not tell capital letters from small ones, but for these names we do.
  private static let spellings = Dictionary(
    uniqueKeysWithValues: ["loginAs", "verifyPassword", "requestPasswordReset", "serverInfo"].map {
      ($0.lowercased(), $0)
    })

  /// The paths of the server's own classes.
  private static let aliases = [
    "users": "_User", "roles": "_Role", "sessions": "_Session", "installations": "_Installation",
  ]

  /// Finds the route of a method and a path below the mount; nil if there is none.
  init?(_ method: String, _ path: String) {
    var parts: [String] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: true) {
      guard part.utf8.contains(Self.percent) else {
        parts.append(String(part))
        continue
      }
      guard let decoded = String(part).removingPercentEncoding else { return nil }
      parts.append(decoded)
    }
    guard let first = parts.first?.lowercased() else { return nil }
    parts[0] = Self.spellings[first] ?? first
    if first == "classes" {
      self.init(method, rows: Array(parts.dropFirst()))
    } else if let special = Self.named(method, parts) {
      self = special
    } else if let className = Self.aliases[first] {
      self.init(method, rows: [className] + parts.dropFirst())
    } else {
      return nil
    }
  }

  /// Rows of a class, by the class's name and perhaps an id.
  private init?(_ method: String, rows parts: [String]) {
    switch (method, parts.count) {
    case ("GET", 1): self = .find(parts[0])
    case ("POST", 1): self = .create(parts[0])
    case ("GET", 2): self = .get(parts[0], parts[1])
    case ("PUT", 2): self = .update(parts[0], parts[1])
    case ("DELETE", 2): self = .delete(parts[0], parts[1])
    default: return nil
    }
  }

  private static func named(_ method: String, _ parts: [String]) -> Route? {
    let last = parts.last ?? ""
    switch (method, parts.first, parts.count) {
    case ("GET", "users", 2) where last == "me": return .currentUser
    case ("GET", "sessions", 2) where last == "me": return .currentSession
    case ("GET", "login", 1), ("POST", "login", 1): return .login
    case ("POST", "logout", 1): return .logout
    case ("POST", "loginAs", 1): return .loginAs
    case ("GET", "verifyPassword", 1), ("POST", "verifyPassword", 1): return .verifyPassword
    case ("POST", "requestPasswordReset", 1): return .passwordReset
    case ("GET", "schemas", 1): return .listSchemas
    case ("GET", "schemas", 2): return .getSchema(last)
    case ("POST", "schemas", 1): return .createSchema(nil)
    case ("POST", "schemas", 2): return .createSchema(last)
    case ("PUT", "schemas", 2): return .updateSchema(last)
    case ("DELETE", "schemas", 2): return .deleteSchema(last)
    case ("DELETE", "purge", 2): return .purge(last)
    case ("GET", "aggregate", 2): return .distinct(last)
    case ("POST", "functions", 2): return .function(last)
    case ("POST", "jobs", 2): return .job
    case ("GET", "config", 1): return .getSettings
    case ("PUT", "config", 1): return .updateSettings
    case ("GET", "serverInfo", 1): return .serverInfo
    case ("POST", "batch", 1): return .batch
    default: return nil
    }
  }
}
