// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryStore

// Tests fail with any error, so that their closures need not name one.
extension SyncStore {
  package func syncRead<Result>(_ body: (any SyncReader) throws -> Result) throws -> Result {
    var passage = ErrorPassage()
    do {
      return try syncRead { reader throws(StoreError) in try passage.run { try body(reader) } }
    } catch {
      throw passage.result(of: error)
    }
  }

  @discardableResult
  package func sync<Result>(
    _ durability: Durability, _ body: (any SyncTransaction) throws -> Result
  ) throws -> Result {
    var passage = ErrorPassage()
    do {
      return try sync(durability) { transaction throws(StoreError) in
        try passage.run { try body(transaction) }
      }
    } catch {
      throw passage.result(of: error)
    }
  }
}
