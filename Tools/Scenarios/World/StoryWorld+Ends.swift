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
    for device in devices { leftovers += device.leftovers() }
    letGo()
    leftovers += server.close()
    guard let first = leftovers.first else { return }
    throw StoryFault("after the story there was left over: \(first)")
  }
}

extension StoryDevice {
  /// Things that a story must not leave behind.
  ///
  /// A change that is still being sent is none of it: no story can expect one.
  fileprivate func leftovers() -> [String] {
    guard stagesEnd else { return ["\(name)'s stages are still under way"] }
    let files =
      FileManager.default.enumerator(atPath: staging.path)?
      .compactMap { $0 as? String } ?? []
    // Manifests stay, one in the folder of each class, and the note of additions.
    return files.filter {
      $0.contains(".") && !$0.hasSuffix("/manifest.jsonl") && $0 != "additions.json"
    }
    .map { "\(name)'s staged \($0)" }
  }

  /// Whether what ended has really ended; the last operation of a run may outlive its report a little.
  private var stagesEnd: Bool {
    let haveEnded = DispatchSemaphore(value: 0)
    let coordinator = coordinator
    Thread.detachNewThread {
      coordinator.waitForStages()
      haveEnded.signal()
    }
    return haveEnded.wait(timeout: .now() + 10) == .success
  }
}
