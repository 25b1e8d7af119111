// Ferry: offline-first sync for Parse Server. MIT licence.

/// Topics of `ferry help` that say in short what an article says in full.
enum TopicHelp {
  static var relations: String {
    page(
      [
        "A relation of a record has members, which are records of another class. ferry.json declares a class for them, and "
          + "the store has a table of it with a row for each member: the columns owner and member hold object ids.",
        "INSERT adds a member, and DELETE removes one. An UPDATE of such a row is parked, because the server has no changes of "
          + "members. Insert a row for two records by their object ids, as below. Both may be new.",
      ],
      example: [
        #""Team_players": { "membersOf": { "className": "Team","#,
        #"  "field": "players", "targetClass": "Player" } }"#,
        "INSERT INTO Team_players (owner, member)",
        "SELECT t.objectId, p.objectId FROM Team t, Player p",
        "WHERE t.name = 'North' AND p.name = 'Ada';",
      ],
      [
        "A sync sends additions after all other changes, and removals last. Members are a set: two devices that add different "
          + "members keep both, and a second row of a member leaves. A row that names no record is parked, and the rows beside "
          + "it go on. \"ferry outbox\" says why."
      ], article: "relations")
  }

  static var merging: String {
    page(
      [
        "Where this device and the server changed the same field, the server's value wins, and the other one is kept: \"ferry "
          + "conflicts\" shows it. A field can declare a merge instead, so that both edits stay:"
      ],
      example: [
        #""likes": { "type": "Number", "integer": true, "merge": "increment" }"#,
        #""tags": { "type": "Array", "merge": "set" }"#,
        #""text": { "type": "String", "merge": "lines" }"#,
      ],
      [
        "With increment, an edit of a number adds the difference. With set, the additions and removals of an array's elements "
          + "stay. With lines, the changed lines of a text stay. An ordinary UPDATE edits such a field.",
        "An addition whose answer was lost is not sent again as long as the server may have counted it. If no value shows that, "
          + "the change is parked: \"ferry outbox counted\" or \"ferry outbox not-counted\" decides it.",
      ], article: "merging")
  }

  private static func page(
    _ beginning: [String], example: [String], _ ending: [String], article: String
  ) -> String {
    func paragraph(_ text: String) -> String {
      HelpText.wrapped(text, indent: 0).joined(separator: "\n")
    }
    let source =
      "The article \"\(article)\" of Ferry's documentation says more "
      + "(Sources/Ferry/Ferry.docc/\(article).md)."
    return
      (beginning.map(paragraph) + [example.map { "  \($0)" }.joined(separator: "\n")]
      + (ending + [source]).map(paragraph)).joined(separator: "\n\n")
  }
}
