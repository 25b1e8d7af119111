// Ferry: offline-first sync for Parse Server. MIT licence.

public import Observation

/// A value of a store for views that follow an `Observable` model.
///
/// It holds the newest element of an observation. A view that reads `value` is drawn anew after each commit that
/// changes it.
///
/// ```swift
/// let games = await ObservedValue(store.observe(Query("Game")), initially: [])
/// print(await games.value.count)
/// ```
///
/// The main actor owns it. It follows the store as long as it lives, and keeps the store open.
@MainActor @Observable
public final class ObservedValue<Value: Sendable> {
  /// The newest value; the initial one until the store was read for the first time.
  public private(set) var value: Value
  /// The error with which the observation ended; nil while it goes on.
  public private(set) var error: (any Error)?

  @ObservationIgnored private var following: Task<Void, Never>?

  /// Begins to follow an observation.
  ///
  /// - Parameters:
  ///   - observation: What `Store.observe` returned.
  ///   - value: The value until the first reading is done, some milliseconds later.
  public init(_ observation: StoreObservation<Value>, initially value: Value) {
    self.value = value
    following = Task { [weak self] in
      do {
        for try await newest in observation { self?.value = newest }
      } catch {
        self?.error = error
      }
    }
  }

  deinit { following?.cancel() }
}
