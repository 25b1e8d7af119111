// Ferry: offline-first sync for Parse Server. MIT licence.

/// A value that a closure of the app makes of the store.
///
/// A mark says nothing about conflict records, for example, and the closure may read them. So it runs after each commit.
struct ValueLook<Element: Sendable & Equatable>: StoreLook {
  private let value: @Sendable (any SyncReader) throws -> Element
  private var seen: Element?

  init(_ value: @escaping @Sendable (any SyncReader) throws -> Element) { self.value = value }

  mutating func next(in reader: any SyncReader) throws -> Element? {
    let value = try value(reader)
    guard value != seen else { return nil }
    seen = value
    return value
  }
}
