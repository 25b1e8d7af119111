// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore

/// The rules of other programs that a stage has met, kept beyond the transactions that these rules end.
///
/// A key names what the stage writes one by one: a record, or a write that the server has answered.
final class StoreRefusals<Key: Hashable> {
  /// The rules that end a whole transaction, by what meets them: the next attempt leaves it out at once.
  private(set) var endings: [Key: StoreError] = [:]
  /// Whether all go one by one, because a rule that ended a transaction does not say which of several it met.
  private(set) var goesOneByOne = false

  /// Lets all go one by one from now on: a rule refused at least one of several.
  func goOneByOne() { goesOneByOne = true }

  /// How much is known; an attempt that adds nothing must not be repeated.
  var count: Int { endings.count + (goesOneByOne ? 1 : 0) }

  /// Writes, unless a rule of another program refuses it.
  ///
  /// - Parameters:
  ///   - key: The record or write; nil for several.
  ///   - transaction: The transaction.
  ///   - body: Writes, in a savepoint.
  /// - Returns: The result, or the refusal that took everything back.
  /// - Throws: `StoreError` for anything else. If the rule ended the transaction, the next attempt knows it.
  func attempt<Result>(
    _ key: Key?, in transaction: any SyncTransaction, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Swift.Result<Result, StoreError> {
    if let key, let known = endings[key] { return .failure(known) }
    do throws(StoreError) {
      return .success(try transaction.attempt(body))
    } catch {
      if error.refusal == .transaction {
        goOneByOne()
        if let key { endings[key] = error }
      }
      guard error.refusal == .row else { throw error }
      return .failure(error)
    }
  }
}

extension StageContext {
  /// Writes in one transaction, and again without what met a rule of another program that ended it.
  ///
  /// - Parameters:
  ///   - durability: When the commit returns.
  ///   - refusals: The rules that are known; the closure notes those that it meets.
  ///   - body: Writes. It may run several times, each time in a new transaction.
  /// - Returns: The result of the closure.
  /// - Throws: The error that ends the run: the store cannot be read or written.
  func write<Key, Result>(
    _ durability: Durability, leavingOut refusals: StoreRefusals<Key>,
    _ body: (any SyncTransaction) throws(StoreError) -> Result
  ) throws(SyncError) -> Result {
    while true {
      let known = refusals.count
      do {
        return try write(durability, body)
      } catch {
        guard refusals.count > known else { throw error }
      }
    }
  }
}

extension ClassContext {
  /// Writes in one transaction, and again without what met a rule of another program that ended it.
  func write<Key, Result>(
    _ durability: Durability, leavingOut refusals: StoreRefusals<Key>,
    _ body: (any SyncTransaction) throws(StoreError) -> Result
  ) throws(ClassError) -> Result {
    try failingClass { () throws(SyncError) in
      try stage.write(durability, leavingOut: refusals, body)
    }
  }
}
