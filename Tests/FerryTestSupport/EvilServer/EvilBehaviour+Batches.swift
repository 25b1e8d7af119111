// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse

extension EvilBehaviour {
  /// Answers to writes that the server carried out.
  static let batches: [EvilBehaviour] = [
    items("answers to all writes but the last") { $0.dropLast() },
    items("answers to one write more") { $0 + $0.prefix(1) },
    items("answers to a thousand writes more") {
      $0 + Array(repeating: ["success": [:]], count: 1000)
    },
    items("answers to no write") { _ in [] },
    items("answers in the other order") { $0.reversed() },
    items("answers the first write to all") { items in items.map { _ in items.first ?? .null } },
    items("answers with null") { $0.map { _ in .null } },
    items("answers with empty objects") { $0.map { _ in [:] } },
    items("answers with lists") { $0.map { [$0] } },
    items("answers with success and error") { items in
      items.map { ["success": $0["success"] ?? [:], "error": ["code": 1, "error": "x"]] }
    },
    items("answers with errors without a code") { $0.map { _ in ["error": "x"] } },
    items("answers with errors that may pass") {
      $0.map { _ in ["error": ["code": 1, "error": "Internal server error."]] }
    },
    items("answers with timeouts") {
      $0.map { _ in ["error": ["code": 124, "error": "timeout"]] }
    },
    member("answers without an id", "objectId", nil),
    member("answers with an empty id", "objectId", ""),
    member("answers with a number as the id", "objectId", 7),
    member("answers without a stamp of creation", "createdAt", nil),
    member("answers with a stamp of creation that is no date", "createdAt", "soon"),
    member("answers with a creation in the year 9999", "createdAt", "9999-12-31T23:59:59.999Z"),
    member("answers without a stamp", "updatedAt", nil),
    member("answers with a stamp that is no date", "updatedAt", "soon"),
    member("answers with a stamp of the year 9999", "updatedAt", "9999-12-31T23:59:59.999Z"),
    member("answers with a stamp of 1970", "updatedAt", "1970-01-01T00:00:00.000Z"),
    member("answers with a field of another type", "title", [1, 2]),
    member("answers with a field of no name", "'; DROP TABLE Game; --", "x"),
    member(
      "answers with a field of a megabyte", "x", .string(String(repeating: "x", count: 1 << 20))),
    .json("answers to a batch with an object", at: [.batchOfReads, .batchOfWrites]) {
      ["results": $0]
    },
    .json("answers to a batch with its first part", at: [.batchOfReads, .batchOfWrites]) {
      $0.array?.first ?? .null
    },
    .json("answers to a batch in a list", at: [.batchOfReads, .batchOfWrites]) { [$0] },
  ]

  private static func items(
    _ name: String, _ change: @escaping @Sendable ([LoopbackValue]) -> [LoopbackValue]
  ) -> EvilBehaviour {
    .json(name, at: [.batchOfReads, .batchOfWrites]) { value in
      value.array.map { .array(change($0)) } ?? value
    }
  }

  /// Changes one member of each success, in batches and alone.
  private static func member(
    _ name: String, _ member: String, _ value: LoopbackValue?
  ) -> EvilBehaviour {
    .json(name, at: [.batchOfWrites, .write]) { answer in
      inEach(answer) { success in
        var success = success
        if success[member] != nil || !stamps.contains(member) { success[member] = value }
        return success
      }
    }
  }

  private static let stamps: Set = ["objectId", "createdAt", "updatedAt"]
}
