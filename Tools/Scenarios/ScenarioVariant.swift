// Ferry: offline-first sync for Parse Server. MIT licence.

public import LoopbackParse

/// Where and how a story is told: the same story has to come out the same in all of them.
public struct ScenarioVariant: Sendable, Hashable, CustomStringConvertible {
  /// The server of the devices.
  public enum Server: String, Sendable, CaseIterable {
    /// The double, called directly.
    case inProcess = "in process"
    /// The double behind real sockets.
    case sockets
    /// A real Parse Server, which the test brings.
    case real = "real server"

    /// The kinds that need nothing but this library.
    static let doubles: [Server] = [.inProcess, .sockets]
  }

  /// Where the devices keep their rows.
  public enum Store: String, Sendable, CaseIterable {
    /// `InMemoryStore`.
    case memory
    /// `SQLiteStore`.
    case sqlite
  }

  /// The server of the devices.
  public var server: Server
  /// Where the devices keep their rows.
  public var store: Store
  /// Whether the server takes object ids that were made on devices.
  public var allowsCustomIDs: Bool
  /// How the server's database sorts text.
  public var collation: LoopbackCollation

  /// Makes a variant; by default the one that is nearest to an app and yet quick.
  public init(
    server: Server = .inProcess, store: Store = .sqlite, allowsCustomIDs: Bool = false,
    collation: LoopbackCollation = .codePoint
  ) {
    self.server = server
    self.store = store
    self.allowsCustomIDs = allowsCustomIDs
    self.collation = collation
  }

  /// Every combination that needs no real server.
  public static let all: [ScenarioVariant] = Server.doubles.flatMap { server in
    Store.allCases.flatMap { store in
      [true, false].flatMap { allows in
        [LoopbackCollation.codePoint, .english].map {
          ScenarioVariant(server: server, store: store, allowsCustomIDs: allows, collation: $0)
        }
      }
    }
  }

  /// How stories are told on a real server: stores differ in nothing that a server could see.
  static let real: [ScenarioVariant] = [true, false].flatMap { allows in
    [LoopbackCollation.codePoint, .english].map {
      ScenarioVariant(server: .real, store: .sqlite, allowsCustomIDs: allows, collation: $0)
    }
  }

  /// The variant in words.
  public var description: String {
    let ids = allowsCustomIDs ? "custom ids" : "server ids"
    let order = collation == .english ? "en-US" : "code points"
    return "\(server.rawValue), \(store.rawValue), \(ids), \(order)"
  }
}
