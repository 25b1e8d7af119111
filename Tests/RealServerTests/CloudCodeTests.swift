// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import LoopbackParse
import Testing

extension RealServerTests {
  /// The server's own code changes what is saved, and refuses one record of many.
  @Test(arguments: [true, false]) func triggersHaveTheirSay(allowsCustomIDs: Bool) async throws {
    let code = """
      Parse.Cloud.beforeSave("Game", request => {
        const game = request.object;
        if (game.get("title") === "bad") throw new Parse.Error(142, "no bad games");
        game.set("notes", `seen: ${game.get("title")}`);
      });
      """
    let variant = RealWorld.Variant(allowsCustomIDs: allowsCustomIDs, cloudCode: code)
    try await RealWorld.with(variant) { world in
      let device = try world.device()
      try device.store.write { db in
        let bad = try db.insert("Game", ["title": "bad"])
        try db.insert("Game", ["title": "child", "previous": .pointer(bad)])
        for number in 0..<20 { try db.insert("Game", ["title": .string("good \(number)")]) }
      }
      let report = try await device.sync()
      #expect(report.classes["Game"]?.created == 20, "\(device.leftovers(report))")
      #expect(report.classes["Game"]?.parked == 1)
      let parked = try device.pending().compactMap { entry in
        if case .parked(let refusal) = entry.state { refusal.code } else { nil }
      }
      #expect(parked == [142])

      try device.edit("Game", "bad", ["title": "better"])
      let better = try await device.sync()
      #expect(better.classes["Game"]?.created == 2, "\(device.leftovers(better))")
      try await world.settle(device)
      #expect(try device.record("Game", "better")["notes"] == "seen: better")
      #expect(try device.record("Game", "good 7")["notes"] == "seen: good 7")
    }
  }
}
