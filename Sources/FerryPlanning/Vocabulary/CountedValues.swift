// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Values without an order, each with the number of times that it is there.
struct CountedValues {
  private var buckets: [Int: [(value: Value, count: Int)]] = [:]

  init(_ values: some Sequence<Value> = []) {
    for value in values { insert(value) }
  }

  func count(of value: Value) -> Int {
    buckets[value.bucket]?.first { $0.value == value }?.count ?? 0
  }

  func contains(_ value: Value) -> Bool { count(of: value) > 0 }

  mutating func insert(_ value: Value) {
    let bucket = value.bucket
    if let index = buckets[bucket]?.firstIndex(where: { $0.value == value }) {
      buckets[bucket]?[index].count += 1
    } else {
      buckets[bucket, default: []].append((value, 1))
    }
  }

  /// The values of which other ones have more or fewer, and how many more.
  func changes(to others: CountedValues) -> [(value: Value, change: Int)] {
    let mine = buckets.values.joined().map { ($0.value, others.count(of: $0.value) - $0.count) }
    let theirs = others.buckets.values.joined().filter { !contains($0.value) }
    return (mine + theirs.map { ($0.value, $0.count) }).filter { $0.1 != 0 }
  }

  /// How many values only one of both has.
  func distance(to others: CountedValues) -> Int {
    changes(to: others).reduce(0) { $0 + abs($1.change) }
  }
}

extension Value {
  /// The elements of an array, and none of a missing value; nil of any other value.
  var elements: [Value]? {
    switch self {
    case .null: []
    case .array(let elements): elements
    case .string, .integer, .number, .boolean, .date, .pointer, .bytes, .object, .geoPoint,
      .polygon, .file, .relation:
      nil
    }
  }

  /// A number that values of one meaning share.
  fileprivate var bucket: Int {
    switch self {
    case .object(let members):
      // Their order has no meaning.
      members.reduce(members.count) { $0 ^ [$1.key.hashValue, $1.value.bucket].hashValue }
    case .array(let elements): elements.map(\.bucket).hashValue
    case .file(let file): file.name.hashValue
    case .geoPoint(let point): [point.latitude, point.longitude].hashValue
    case .null, .polygon, .relation: 0
    case .string, .integer, .number, .boolean, .date, .pointer, .bytes:
      ValueKey(self)?.hashValue ?? 0
    }
  }
}
