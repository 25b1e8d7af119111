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
  /// - Parameter value: Makes the value of an inspection; do not keep the inspection beyond the closure.
  /// - Returns: The observation; nothing is read before the app iterates.
  public func observe<Value: Sendable & Equatable>(
    inspecting value: @escaping @Sendable (StoreInspection) throws -> Value
  ) -> StoreObservation<Value> {
    observing { try value(StoreInspection($0)) }
  }
}
