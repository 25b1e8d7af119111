// Ferry: offline-first sync for Parse Server. MIT licence.

/// A dictionary in pages: changing one member of a copy copies one page, not the whole dictionary.
///
/// So a transaction can work on a copy of the whole state.
struct PagedDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var pages = [[Key: Value]](repeating: [:], count: 256)
  private(set) var count = 0

  private func page(of key: Key) -> Int { Int(UInt(bitPattern: key.hashValue) & 255) }

  subscript(key: Key) -> Value? {
    get { pages[page(of: key)][key] }
    set {
      let page = page(of: key)
      let before = pages[page].count
      pages[page][key] = newValue
      count += pages[page].count - before
    }
  }

  subscript(key: Key, default empty: @autoclosure () -> Value) -> Value {
    get { self[key] ?? empty() }
    set { self[key] = newValue }
  }

  var keys: some Sequence<Key> { pages.lazy.flatMap(\.keys) }
  var values: some Sequence<Value> { pages.lazy.flatMap(\.values) }
}
