// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryStore

extension Store {
  /// A value of an inspection now, and again after each commit that changes it.
  ///
  /// ```swift
  /// for try await unsent in store.observe(inspecting: { try $0.pendingChanges().count }) {
  ///   print(unsent == 0 ? "" : "\(unsent) unsent")
  /// }
  /// ```
  ///
  /// A change that a sync sends, sets aside or blocks gives an element too, although no row changes. The closure runs
  /// after each commit of anybody, so keep it short. Equal values that follow each other come once.
  ///
  /// After some 200 edits of the app, the observation writes to the store for a few milliseconds: it gathers the edits
  /// per row, as the next sync would. So a badge costs the same after the first edit and after the millionth. In a store
  /// that is open for reading only, each element reads all edits since the last sync.
  ///
  /// - Parameter value: Makes the value of an inspection; do not keep the inspection beyond the closure.
  /// - Returns: The observation; nothing is read before the app iterates.
  public func observe<Value: Sendable & Equatable>(
    inspecting value: @escaping @Sendable (StoreInspection) throws -> Value
  ) -> StoreObservation<Value> {
    observing(inspecting: { try value(StoreInspection($0)) })
  }
}
