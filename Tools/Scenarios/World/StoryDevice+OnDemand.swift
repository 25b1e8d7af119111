// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryStore

// Classes that the app fetches.
extension StoryDevice {
  /// Brings the records of a query; with a code, the fetch must stop with that error.
  func fetch(_ query: Query, stops code: String?) throws {
    network.beginRun()
    let coordinator = coordinator
    switch blocking({ try await coordinator.fetch(query) }) {
    case .success where code == nil: return
    case .success: throw StoryFault("the fetch should stop with \(code ?? "")")
    case .failure(let error):
      let found = (error as? SyncError)?.code.rawValue ?? ""
      guard found == code else { throw StoryFault("the fetch stopped with \(found): \(error)") }
    }
  }

  /// Takes rows out of the store, all of them.
  func evict(_ rows: [String]) throws {
    let references = try rows.map { row throws in
      guard let identity = names.identity(row), let number = identity.localIDs[name] else {
        throw StoryFault("\(name) has no row \(row)")
      }
      return RecordReference(
        className: identity.className, localID: number,
        objectID: identity.objectIDs.first ?? "")
    }
    let coordinator = coordinator
    let report = try blocking { try await coordinator.evict(references) }.get()
    guard report.kept.isEmpty, report.evicted.count == rows.count else {
      let kept = report.kept.map { self.name(of: $0) }.sorted().joined(separator: ", ")
      throw StoryFault("it evicted \(report.evicted.count) rows, and \(kept) stayed")
    }
  }
}
