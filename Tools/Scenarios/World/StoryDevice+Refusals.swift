// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import FerryStore

// Calls that the store must refuse.
extension StoryDevice {
  /// Makes a call that the store refuses with this error; the refusal changes no row.
  func expectRefusal(_ code: StoreError.Code, of call: () throws -> Void) throws {
    let before = try lastToken()
    do {
      try call()
    } catch let error as StoreError {
      guard error.code == code else {
        throw StoryFault("the store refused it with \(error.code.rawValue): \(error)")
      }
      guard try lastToken() == before else {
        throw StoryFault("the store refused it, and changed a row all the same")
      }
      return
    }
    throw StoryFault("the store accepted what it should refuse with \(code.rawValue)")
  }

  private func lastToken() throws -> HistoryToken { try store.read { try $0.lastToken() } }
}
