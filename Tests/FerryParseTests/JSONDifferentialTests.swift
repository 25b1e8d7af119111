// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse
import FerryTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2)))
struct JSONDifferentialTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the JSON reader reads what both of Foundation's readers read, alike`(seed: UInt64) throws {
    var random = JSONTextGenerator(seed: seed)
    let reader = JSONReader()
    for _ in 0..<50 {
      let text = Data(random.document().utf8)
      let tree = try reader.read(text) { JSONTree($0) }
      #expect(try JSONDecoder().decode(JSONTree.self, from: text) == tree)
      let serialized = try JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
      #expect(JSONTree(serialized: serialized) == tree.withBooleansAsNumbers)
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the JSON reader survives damaged text, and never reads it otherwise than Foundation's`(
    seed: UInt64
  ) throws {
    var random = JSONTextGenerator(seed: seed)
    let reader = JSONReader()
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
