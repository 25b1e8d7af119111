// Ferry: offline-first sync for Parse Server. MIT licence.

/// A value that a closure of the app makes of the store.
struct ValueLook<Element: Sendable & Equatable>: StoreLook {
  private let value: @Sendable (any SyncReader) throws -> Element
  private var seen: (mark: StoreMark, value: Element)?

  init(_ value: @escaping @Sendable (any SyncReader) throws -> Element) {
    self.value = value
  }

  mutating func next(in reader: any SyncReader) throws -> Element? {
    let mark = try reader.mark()
    guard mark != seen?.mark else { return nil }
    let value = try value(reader)
    defer { seen = (mark, value) }
    return value == seen?.value ? nil : value
  }
}
