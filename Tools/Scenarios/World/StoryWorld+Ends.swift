// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryStore
import Foundation

// How a telling begins, and what it must not leave behind.
extension StoryWorld {
  /// Puts the classes and the given rows on the server, and the rows on every device.
  func begin() throws {
    try client.declare(telling.serverSchema)
    guard !telling.given.isEmpty else { return }
    for rows in telling.given { try client.insert(rows) }
    clock.pass(.seconds(1))
    for device in devices { try device.sync() }
    // So that the story does not begin within the overlap of the first listing.
    clock.pass(telling.options.sync.overlap + .seconds(10))
  }

  /// Closes everything, and looks for what was left over.
  func end() throws {
    var leftovers: [String] = []
    for device in devices { leftovers += try device.leftovers() }
    letGo()
    leftovers += server.close()
    guard let first = leftovers.first else { return }
    throw StoryFault("after the story there was left over: \(first)")
  }
}

extension StoryDevice {
  /// What there must not be any more when the story is over.
  fileprivate func leftovers() throws -> [String] {
    // A stage that hangs is found by the test's time limit.
    coordinator.waitForStages()
    let sending = try store.syncRead { try $0.outbox(of: nil) }.filter { $0.state == .sending }
      .map { "\(name)'s \($0.kind.rawValue) of \($0.className) \($0.objectID) is still being sent" }
    let files =
      FileManager.default.enumerator(atPath: staging.path)?
      .compactMap { $0 as? String } ?? []
    let pages = files.filter { $0.hasSuffix(".part") || $0.contains("/page-") }
      .map { "\(name)'s staged \($0)" }
    return sending + pages
  }
}
