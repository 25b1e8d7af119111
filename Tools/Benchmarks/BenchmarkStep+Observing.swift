// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

extension BenchmarkStep {
  /// Changes an observed row and waits for the list that shows it, once for each record; then the same over another
  /// connection, as another process has it.
  func observe() async throws {
    let (store, other) = (try place.store(), try place.store())
    let query = Query(
      "Note", where: .field("count", .lessThan, 1000), orderedBy: .ascending("title"))
    var lists = store.observe(query).makeAsyncIterator()
    var parts = BenchmarkParts()
    guard let rows = try await lists.next() else { throw Incomplete(done: nil) }
    for (writer, name) in [(store, "this process"), (other, "another connection")] {
      for number in 0..<records {
        let note = rows[number % rows.count].reference
        let ratio = Value.number(Double.random(in: 1...2))
        try parts.time("\(name): commit") {
          try writer.write { try $0.update(note, ["ratio": ratio]) }
        }
        let list = try await parts.time("\(name): list") { try await lists.next() }
        guard list?.contains(where: { $0.reference == note && $0["ratio"] == ratio }) == true else {
          throw Incomplete(done: number)
        }
      }
    }
    try parts.write(to: place.parts)
  }
}
