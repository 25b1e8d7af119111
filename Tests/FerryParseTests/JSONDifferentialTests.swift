// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse
import FerryTestSupport
import Foundation
import Testing

@Suite("JSON reader beside Foundation's", .timeLimit(.minutes(2)))
struct JSONDifferentialTests {
  @Test("reads what both Foundation readers read, alike", arguments: 0..<20 as Range<UInt64>)
  func agreement(seed: UInt64) throws {
    var random = JSONTextGenerator(seed: seed)
    let reader = try JSONReader()
    for _ in 0..<50 {
      let text = Data(random.document().utf8)
      let tree = try reader.read(text) { JSONTree($0) }
      #expect(try JSONDecoder().decode(JSONTree.self, from: text) == tree)
      let serialized = try JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
      #expect(JSONTree(serialized: serialized) == tree.withBooleansAsNumbers)
    }
  }

  @Test("survives damaged text, and never reads it otherwise", arguments: 0..<20 as Range<UInt64>)
  func damage(seed: UInt64) throws {
    var random = JSONTextGenerator(seed: seed)
    let reader = try JSONReader()
    var accepted = 0
    for _ in 0..<200 {
      let text = random.damaged(Data(random.document().utf8))
      guard let tree = try? reader.read(text, { JSONTree($0) }) else { continue }
      accepted += 1
      // Callers refuse repeated keys, and Foundation's readers treat them differently.
      guard let other = try? JSONDecoder().decode(JSONTree.self, from: text) else { continue }
      #expect(other == tree)
    }
    #expect(accepted < 200)
  }
}
