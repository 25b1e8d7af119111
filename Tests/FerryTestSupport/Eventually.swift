// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Waits until something holds, at most a minute.
package func eventually(_ condition: () -> Bool) async -> Bool {
  let end = Date.now.addingTimeInterval(60)
  while Date.now < end {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return condition()
}
