// Ferry: offline-first sync for Parse Server. MIT licence.

package import LoopbackParse

/// Cloud Code in the languages of both servers; both must mean the same.
package struct TestCloudCode: Sendable {
  /// For the real server.
  package var javaScript: String
  /// For the double.
  package var triggers: [String: LoopbackTriggers]
  /// For the double: functions by name.
  package var functions: [String: LoopbackFunction]
  /// How long the double takes for each write; the JavaScript may wait by itself.
  package var duration: Duration

  package init(
    javaScript: String, triggers: [String: LoopbackTriggers] = [:],
    functions: [String: LoopbackFunction] = [:], duration: Duration = .zero
  ) {
    self.javaScript = javaScript
    self.triggers = triggers
    self.functions = functions
    self.duration = duration
  }
}

extension TestCloudCode {
  /// Refuses games with the title “bad”, with its own code.
  package static let refusesBadGames = TestCloudCode(
    javaScript: """
      Parse.Cloud.beforeSave("Game", ({ object }) => {
        if (object.get("title") === "bad") throw new Parse.Error(777, "no bad games");
      });
      """,
    triggers: [
      "Game": LoopbackTriggers(beforeSave: { save in
        guard save.changes["title"]?.string != "bad" else {
          throw LoopbackError(code: 777, message: "no bad games")
        }
      })
    ])

  /// Hides games with a score below zero from every find, but not from counts.
  package static let hidesNegativeGames = TestCloudCode(
    javaScript: """
      Parse.Cloud.afterFind("Game", ({ objects }) =>
        objects.filter(object => !(object.get("score") < 0)));
      """,
    triggers: [
      "Game": LoopbackTriggers(afterFind: { rows in
        rows.filter { ($0["score"]?.number ?? 0) >= 0 }
      })
    ])
}
