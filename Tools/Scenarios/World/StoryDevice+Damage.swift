// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

// Damage to a device's disk.
extension StoryDevice {
  /// Cuts a staged page of a class short, as a full disk does.
  func damage(page number: Int, of className: String) throws {
    let folder = staging.appending(path: className)
    let pages = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
      .filter { $0.hasPrefix("page-") }.sorted()
    guard pages.indices.contains(number - 1) else {
      throw StoryFault("\(name) has \(pages.count) staged pages of \(className)")
    }
    let page = folder.appending(path: pages[number - 1])
    let bytes = try Data(contentsOf: page)
    try bytes.prefix(bytes.count / 2).write(to: page)
  }
}
