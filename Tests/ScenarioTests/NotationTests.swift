// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryScenarios
import Testing

/// The message about a story that cannot be read.
@Suite(.timeLimit(.minutes(5))) struct NotationTests {
  struct BadStory: Sendable, CustomTestStringConvertible {
    var text: String
    var message: String
    var testDescription: String { message }
  }

  /// A complete story with one line of its table, or other sections, replaced.
  private static func story(
    title: String = "story X1: A title", schema: String = "  Game title:text score:integer",
    given: String = "  Game g1 title \"Final\"", titles: String = "| A | B | client | network |",
    row: String = "| sync | | | |", expect: String = "expect\n  A: Game g1 title \"Final\""
  ) -> String {
    "\(title)\nschema\n\(schema)\ngiven\n\(given)\n\(titles)\n|---|\n\(row)\n\(expect)\n"
  }

  static let badStories = [
    BadStory(text: "", message: #"line 1: expected "story NUMBER: TITLE" as the first line"#),
    BadStory(
      text: story(title: "A title"),
      message: #"line 1: expected "story NUMBER: TITLE" as the first line"#),
    BadStory(
      text: story(row: "| | | | LIST Game takes 99999999999 days |"),
      message:
        #"line 8, column "network": expected a time of fewer years after "#
        + #""LIST Game takes 99999999999", found "days""#),
    BadStory(
      text: story(row: "| g1.title = \(String(repeating: "[", count: 100_000)) | | | |"),
      message:
        #"line 8, column "A": expected a value nested less deeply after "g1.title = "#
        + String(repeating: "[ ", count: 99) + #"[", found "[""#),
    BadStory(
      text: story(title: "story X1: A title" + (0..<20).map { "\nfor x\($0) in 1 | 2" }.joined()),
      message: "line 11: expected at most 1000 combinations of alternatives"),
    BadStory(
      text: story(
        title: "story X1: A title\nfor a in 1 | 2"
          + ["b", "c", "d"].map { name in
            let before = name == "b" ? "a" : name == "c" ? "b" : "c"
            return "\nfor \(name) in x | " + String(repeating: "{\(before)}", count: 100)
          }.joined(), row: "| sql {d} | | | |"),
      message: "line 5: expected shorter alternatives"),
    BadStory(
      text: story(schema: "Game title:text"),
      message: "line 2: expected the classes, indented below \"schema\""),
    BadStory(
      text: story(given: "Game g1"),
      message:
        "line 5: expected a section (for, options, schema, given, check, expect, each with its "
        + "lines indented below it, or a table that begins with \"|\"), found \"Game\""),
    BadStory(
      text: "story X1: A title\ngiven\n  Game g1",
      message:
        "line 3: expected a section \"schema\", or the schema of the app, before the first class, "
        + "found \"Game\""),
    BadStory(
      text: story(schema: "  Game title"),
      message: #"line 3: expected ":" after "Game title", found the end"#),
    BadStory(
      text: story(schema: "  Game title:strng"),
      message: #"line 3: expected a type or a class of the schema for title, found "strng""#),
    BadStory(
      text: story(schema: "  Game title:text, where scor >= 1"),
      message: #"line 3: expected a field of the class after "where", found "scor""#),
    BadStory(
      text: story(schema: "  Game title:text score:integer, where score > g1"),
      message:
        #"line 3: expected a text, a number, a date, true, false or none after "where score >","#
        + #" found "g1""#),
    BadStory(
      text: story(schema: "  Game title:text score:integer, where score : 1"),
      message: #"line 3: expected =, >=, >, <= or < after "where score", found ":""#),
    BadStory(
      text: story(row: "| reopen with Game where | | | |"),
      message:
        #"line 8, column "A": expected a field of the class after "reopen with Game where", "#
        + "found the end"),
    BadStory(
      text: story(row: "| sync adopting everything | | | |"),
      message: #"line 8, column "A": expected ";" or the end of the cell after "sync", found "#
        + #""adopting""#),
    BadStory(
      text: story(given: "  Team t1"),
      message: #"line 5: expected a class of the schema, found "Team""#),
    BadStory(
      text: story(given: "  Game g1 titel \"Final\""),
      message: #"line 5: expected a field of Game after "Game g1", found "titel""#),
    BadStory(
      text: story(titles: "| A | phone | client | network |"),
      message: "line 6: expected a device (A, B, …), client, server or network as the title of a "
        + "column, found \"phone\""),
    BadStory(
      text: story(titles: "| B | A | client | network |"),
      message: "line 6: expected the columns in the order A, B, client, server, network, each once"),
    BadStory(
      text: story(row: "| sync | |"),
      message: "line 8: expected 4 columns as in the line of titles, found 2"),
    BadStory(
      text: story(row: "| g1. = 2 | | | |"),
      message: #"line 8, column "A": expected a field of Game after "g1.", found "=""#),
    BadStory(
      text: story(row: "| g1.score 2 | | | |"),
      message: #"line 8, column "A": expected "=" after "g1.score", found "2""#),
    BadStory(
      text: story(row: "| g1.score = | | | |"),
      message: #"line 8, column "A": expected a value (a text in quotes, a number, a date, true, "#
        + #"false, none, a name, […] or {…}) after "g1.score =", found the end"#),
    BadStory(
      text: story(row: "| g1.title = \"Fin | | | |"),
      message: "line 8: expected 4 columns as in the line of titles, found 1"),
    BadStory(
      text: story(row: "| | g2.score = 2 | | |"),
      message:
        #"line 8, column "B": expected a step of a device (insert, delete, add, remove, NAME.FIELD = …, NAME is …, "#
        + "sync, run for, plan, fetch, evict, confirm removals, log in as USER, log out, restore, discard, retry, counted, "
        + "not counted, undo, redo, watch, sees, look away, throw at the next commit, reader, app reads, "
        + "app writes, sql, reopen, switch program, damage, "
        + #"back up, go back to the backup, clock), found "g2""#),
    BadStory(
      text: story(row: "| fetch Team | | | |"),
      message: #"line 8, column "A": expected a class of the schema after "fetch", found "Team""#),
    BadStory(
      text: story(row: "| fetch Game -> complete | | | |"),
      message:
        #"line 8, column "A": expected "stops", found "complete""#),
    BadStory(
      text: story(row: "| evict g2 | | | |"),
      message: #"line 8, column "A": expected the name of a row after "evict", found "g2""#),
    BadStory(
      text: story(schema: "  Game title:text, on request"),
      message:
        #"line 3: expected "soft delete by FIELD", "deletion log", "cloud function", "full scan", "never removed", "private", "on demand", "#
        + #""members FIELD:CLASS", "where FIELD >= VALUE", "merge FIELD by set", "only there FIELD:TYPE" or "only here FIELD:TYPE", found "on""#
    ),
    BadStory(
      text: story(row: "| sees | | | |"),
      message: #"line 8, column "A": expected the name of a row after "sees", found the end"#),
    BadStory(
      text: story(row: "| watch Game by name | | | |"),
      message: #"line 8, column "A": expected a field of Game after "watch Game by", found "name""#),
    BadStory(
      text: story(row: "| reader | | | |"),
      message:
        #"line 8, column "A": expected the name of a reader of history after "reader", found "#
        + "the end"),
    BadStory(
      text: story(row: "| reader index sees g1 | | | |"),
      message: #"line 8, column "A": expected "reads", "is too late" or "starts over" after "#
        + #""reader index", found "sees""#),
    BadStory(
      text: story(row: "| reader index reads g1, g2 | | | |"),
      message: #"line 8, column "A": expected the name of a row, found "g2""#),
    BadStory(
      text: story(row: "| discard g1 refused | | | |"),
      message:
        #"line 8, column "A": expected the code of an error after "discard g1 refused", found "#
        + "the end"),
    BadStory(
      text: story(row: "| insert Game g2..g3; discard g2..g3 refused being-sent | | | |"),
      message: #"line 8, column "A": expected ";" or the end of the cell after "#
        + #""discard g2 ..g3", found "refused""#),
    BadStory(
      text: story(row: "| sync twice | | | |"),
      message:
        #"line 8, column "A": expected ";" or the end of the cell after "sync", found "twice""#),
    BadStory(
      text: story(row: "| run for 2 min | | | |"),
      message: #"line 8, column "A": expected a time up to a minute, which passes in reality "#
        + #"after "run for", found "2""#),
    BadStory(
      text: story(row: "| run for 2 s -> 3 to 2 syncs | | | |"),
      message: #"line 8, column "A": expected numbers that rise, as 3 to 5 syncs, found "3""#),
    BadStory(
      text: story(row: "| log in as anna and bert | | | |"),
      message:
        #"line 8, column "A": expected "at once" after "log in as anna and bert", found the end"#),
    BadStory(
      text: story(row: "| sync only uploading | | | |"),
      message: #"line 8, column "A": expected a stage (download, import, delete-missing, "#
        + #"post-created, put-updated, delete-deleted) after "sync only", found "uploading""#),
    BadStory(
      text: story(row: "| sync, killed when PUT Game | | | |"),
      message: #"line 8, column "A": expected "leaves" or "is done" after "killed when PUT Game", "#
        + "found the end"),
    BadStory(
      text: story(row: "| sync | | | SEND Game is lost |"),
      message:
        #"line 8, column "network": expected a request (POST, PUT, DELETE, UPLOAD, LIST, COUNT, "#
        + #"FIND), found "SEND""#),
    BadStory(
      text: story(row: "|--- soon ---|"),
      message: #"line 8: expected a time such as 3 min, found "soon""#),
    BadStory(
      text: story(expect: "expect\n  C: Game g1"),
      message: #"line 10: expected everywhere, A, B, server, found "C""#),
    BadStory(
      text: story(expect: "expect\n  A: conflict remoteLost g1"),
      message: "line 10: expected a reason (remoteWon, localWon, resolved, resolverFailed, "
        + "deletedRemotely, editedRemotely, removed, removedByTrigger, duplicateMerged) after \"conflict\", found \"remoteLost\""
    ),
    BadStory(
      text: story(expect: "check\n  A: Game g1"),
      message: "line 10: expected \"expect\" and the world at the end of the story"),
    BadStory(
      text: story(expect: "options hurry\nexpect"),
      message:
        "line 9: expected an option (request limit TIME, session limit TIME, overlap TIME, page size N, batch size N, "
        + "attempts N, max limit N, broken batch, Cloud Code, compared rows N, margin TIME, local wins, edit wins, "
        + "only sqlite, only server ids, only custom ids, also on a real server) after \"options\", "
        + "found \"hurry\""),
    BadStory(
      text: story(title: "story X1: A title\nfor fate in lost"),
      message: "line 2: expected \"for NAME in VALUE | VALUE …\" with at least two values"),
  ]

  @Test(arguments: badStories) func `a bad story is refused with its line`(_ story: BadStory) throws
  {
    let error = #expect(throws: ScenarioError.self) { try Scenario(story.text) }
    #expect(error?.description == story.message)
  }

  /// However a story is cut or shortened, it is read or refused, and nothing else happens.
  @Test func `every piece of a story is read or refused`() {
    let text = Self.story(
      row: #"| insert Game g2 score 1; when PUT g1 is done: g1.tags = ["a", {"b": (1, 2)}] | | | |"#
    )
    for index in text.indices {
      _ = try? Scenario(String(text[..<index]))
      _ = try? Scenario(String(text[..<index] + text[text.index(after: index)...]))
    }
  }
}
