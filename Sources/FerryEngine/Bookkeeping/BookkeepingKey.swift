// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Foundation

/// A key of the engine's bookkeeping, and the type kept under it.
struct BookkeepingKey<Content: Codable & Sendable>: Sendable {
  let name: String
  let initial: Content
}

extension BookkeepingKey where Content == ClassState {
  static func classState(_ className: String) -> Self {
    Self(name: "class/\(className)", initial: ClassState())
  }
}

extension BookkeepingKey where Content == ServerCapabilities {
  static var capabilities: Self { Self(name: "server", initial: ServerCapabilities()) }
}

extension BookkeepingKey where Content == StoreOwner? {
  static var binding: Self { Self(name: "binding", initial: nil) }
}

extension SyncReader {
  /// The value kept under a key, or its initial one.
  func state<Content>(_ key: BookkeepingKey<Content>) throws -> Content {
    guard let text = try bookkeeping(key.name) else { return key.initial }
    return try JSONDecoder().decode(Content.self, from: Data(text.utf8))
  }
}

extension SyncTransaction {
  /// Changes the value kept under a key.
  func change<Content>(
    _ key: BookkeepingKey<Content>, _ change: (inout Content) throws -> Void
  ) throws {
    var content = try state(key)
    try change(&content)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try setBookkeeping(key.name, to: String(decoding: encoder.encode(content), as: UTF8.self))
  }
}
