// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

/// A server, and devices that have a folder and a way to the server each.
final class NotesWorld: Sendable {
  let server: TestServer
  private let folder: URL
  private let networks = Mutex<[String: Relay]>([:])

  init(_ kind: TestServer.Kind = .double) throws {
    server = try TestServer(kind)
    folder = FileManager.default.temporaryDirectory
      .appending(path: "ferry-notes-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The way of a device to the server.
  func network(of device: String) throws -> Relay {
    try networks.withLock { networks in
      if let network = networks[device] { return network }
      let network = try Relay(to: server.url)
      networks[device] = network
      return network
    }
  }

  /// Starts the program on a device; the same name has the same folder again.
  func start(_ device: String, inTerminal: Bool = true) throws -> NotesProgram {
    try NotesProgram(
      in: folder.appending(path: device), server: network(of: device).url, inTerminal: inTerminal,
      of: self)
  }

  /// The texts of the notes on the server, and their access lists.
  func notes() throws -> [String: TestServer.Row] {
    Dictionary(
      try server.rows(of: "Note").values.map { ($0["text"]?.string ?? "", $0) },
      uniquingKeysWith: { first, _ in first })
  }
}

extension NotesProgram {
  /// Makes an account, or logs in with one; the password is never on the screen.
  func become(_ name: String, bySignUp isNew: Bool) async {
    type("\(isNew ? "signup" : "login") \(name)")
    await shows(isNew ? "Password for \(name):" : "Password of \(name):")
    type("secret \(name)")
    if isNew {
      await shows("Again:")
      type("secret \(name)")
    }
    await shows("Notes of \(name)")
  }
}
