// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Synchronization

/// Passes news on to a coordinator, unless its store has them: an app's own writes come back from the server.
final class LiveHerald: Sendable {
  /// How many records of a class are looked up; the class of more news is woken without a look.
  private static let mostRecords = 100

  private struct Unread {
    /// The news by class; the newest of each record.
    var news: [String: [String: LiveMessage.News]] = [:]
    /// The classes that are woken whatever the store has.
    var classes: Set<String> = []
  }

  private let coordinator: SyncCoordinator
  private let unread = Mutex(Unread())
  private let (signals, signal) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  init(_ coordinator: SyncCoordinator) { self.coordinator = coordinator }

  func hear(_ news: LiveMessage.News, of className: String) {
    unread.withLock { unread in
      guard !unread.classes.contains(className) else { return }
      unread.news[className, default: [:]][news.objectID] = news
      guard unread.news[className, default: [:]].count > Self.mostRecords else { return }
      unread.classes.insert(className)
      unread.news[className] = nil
    }
    signal.yield()
  }

  /// Wakes these classes: what happened before the connection, nobody told.
  func hear(everythingIn classes: Set<String>) {
    unread.withLock { $0.classes.formUnion(classes) }
    signal.yield()
  }

  /// Passes on until its task is cancelled.
  ///
  /// During a sync it waits, because a call would wait for its end as well: afterwards the store knows what this device sent.
  func run() async {
    for await _ in signals {
      await coordinator.activity.waitForRest()
      let unread = unread.withLock { unread in
        defer { unread = Unread() }
        return unread
      }
      let classes = unread.classes.union(unread.news.filter(isNew).keys)
      guard !classes.isEmpty, !Task.isCancelled else { continue }
      coordinator.wakeUp(classes: withMembers(classes))
    }
  }

  /// A store that cannot be read is woken: the sync then says what is wrong.
  private func isNew(className: String, news: [String: LiveMessage.News]) -> Bool {
    let versions = try? coordinator.syncStore.syncRead { reader throws(StoreError) in
      try reader.versions(of: className, objectIDs: Array(news.keys))
    }
    guard let versions else { return true }
    return news.values.contains { news in
      guard let stored = versions[news.objectID] else { return !news.isGone }
      return news.isGone || !stored.isSame(as: news.version)
    }
  }

  /// The classes, and the relations that their records have.
  private func withMembers(_ classes: Set<String>) -> Set<String> {
    let members = coordinator.store.schema.entities.filter { entity in
      entity.membership.map { classes.contains($0.ownerClass) } ?? false
    }
    return classes.union(members.map(\.name))
  }
}

extension StoredVersion {
  /// Whether the row is in that version: a record that this device created has none until a sync has read it.
  fileprivate func isSame(as other: ServerVersion?) -> Bool {
    guard let other else { return false }
    return version == other || (version == nil && createdAt != nil && createdAt == other.timestamp)
  }
}
