// Ferry: offline-first sync for Parse Server. MIT licence.

/// The words that Ferry uses in a sense of its own: the source of `ferry help glossary` and of
/// `Documentation/Glossary.md`.
enum Glossary {
  struct Term: Sendable {
    var name: String
    /// The definition, in one sentence.
    var meaning: String
    /// The term at work, in one sentence.
    var example: String
  }

  /// The page as the tool prints it and as the file holds it.
  static var text: String {
    let entries = terms.flatMap { term -> [String] in
      let lines = HelpText.wrapped(
        "\(term.name): \(term.meaning) Example: \(term.example)", indent: 2)
      return ["- " + (lines.first ?? "").drop { $0 == " " }] + lines.dropFirst()
    }
    let head = ["# Glossary", "", "The words that Ferry uses, each with an example.", ""]
    return (head + entries).joined(separator: "\n")
  }

  static let terms: [Term] = download + changes + upload + removal + identity
}

extension Glossary {
  // MARK: From the server

  private static let download: [Term] = [
    Term(
      name: "store", meaning: "The app's own SQLite tables, with Ferry's bookkeeping beside them.",
      example: "store.sqlite holds the table Game and the table ferry_outbox."),
    Term(
      name: "record and row",
      meaning: "A record is an object on the server, and a row is the same object in a table here.",
      example: "the row #12 is the record aB3 of the class Game."),
    Term(
      name: "local and remote",
      meaning: "Local is this device's side, and remote is the server's side.",
      example: "the policy localWins keeps the title that was edited on this device."),
    Term(
      name: "staging",
      meaning:
        "The folder in which the engine keeps the server's answers until it has imported them.",
      example: "\"ferry sync --through download\" fills staging/, and \"ferry staging\" lists it."),
    Term(
      name: "complete listing",
      meaning: "A download that came to its end, so that it shows all that changed.",
      example: "a class of 2,500 records is complete after three pages of 1,000."),
    Term(
      name: "download cursor",
      meaning: "The server time up to which a class is known to be here.",
      example: "the cursor stands at 18:30, so the next sync asks for changes from 18:28:30 on."),
    Term(
      name: "lower bound",
      meaning: "The server time at which a download begins.",
      example: "the lower bound is the download cursor less the overlap."),
    Term(
      name: "overlap",
      meaning: "How far each download reaches back before the cursor, for writes that commit late.",
      example: "with an overlap of 90 s a write that took a minute to commit still comes."),
    Term(
      name: "version",
      meaning: "The updatedAt of a record as text, compared for equality only.",
      example: "a row whose version differs from the record's is written anew."),
    Term(
      name: "quarantine",
      meaning: "The place for records that do not fit the schema, kept as they came.",
      example:
        "a score of \"many\" in a Number field goes to quarantine until either side is mended."),
    Term(
      name: "evict",
      meaning:
        "To remove a row whose record left the class's filter and is still on the server, or a row of an "
        + "on-demand class that the app needs no more.",
      example: "with the filter season = 2026 a game moved to 2025 is evicted."),
  ]

  // MARK: Changes made here

  private static let changes: [Term] = [
    Term(
      name: "snapshot",
      meaning: "The rows of a query as they were at one moment, with unsaved edits on top.",
      example: "a form edits a snapshot of one game, and its Save button writes the edits."),
    Term(
      name: "member",
      meaning:
        "A record in the relation of another one, its owner; a row of a class of members holds the pair.",
      example: "with the row (North, Ada) of Team_players, Ada is a member of the team North."),
    Term(
      name: "capture", meaning: "Triggers that note each edit of a table in a log.",
      example: "an UPDATE by the sqlite3 shell is captured as one by the app."),
    Term(
      name: "fold",
      meaning: "To turn the log of edits into one outbox entry for each row.",
      example: "an insert and three updates of one row fold into one create."),
    Term(
      name: "outbox", meaning: "The changes made here that the server does not have yet.",
      example: "\"ferry outbox\" prints: Game #12 aB3 update title: ready."),
    Term(
      name: "base", meaning: "The server's value of a field before the local edit.",
      example: "the base of title is \"Semi\" while the row says \"Final\"."),
    Term(
      name: "merge", meaning: "To bring the edits of both sides together, field by field.",
      example: "a title edited locally and a score edited on the server both stay."),
    Term(
      name: "declared merge", meaning: "How the edits of both sides to one field become one value.",
      example: "with the merge set, the tags that two devices added both stay."),
    Term(
      name: "addition",
      meaning: "An edit of a number that the server adds to the value that it has.",
      example: "two devices that add 1 each bring 5 to 7."),
    Term(
      name: "conflict record",
      meaning: "A value that a sync overwrote, kept so that it can be restored.",
      example:
        "both sides changed the title, the server's stays, and \"ferry conflicts\" shows the other."
    ),
    Term(
      name: "seen",
      meaning: "Said of a conflict record that the app or a person has marked or restored.",
      example: "after \"ferry conflicts seen --all\", \"ferry status\" counts none."),
    Term(
      name: "history", meaning: "The changes of all rows in their order, each under a token.",
      example: "\"ferry history --after 1041\" shows what came after the token 1041."),
    Term(
      name: "undo", meaning: "To take the edits of one transaction back, by new local edits.",
      example: "\"ferry undo\" gives a game the title that it had before the app's last edit."),
  ]

  // MARK: To the server

  private static let upload: [Term] = [
    Term(
      name: "wave",
      meaning: "Changes that may be sent at the same time, because none needs another.",
      example: "leagues go in the first wave, and the games that point to them in the second."),
    Term(
      name: "park",
      meaning:
        "To keep a change that the server refused, unsent, until its row is edited or the app retries it.",
      example:
        "a trigger refuses an empty title, and the change is parked with the trigger's words."),
    Term(
      name: "blocked",
      meaning: "Said of a change that waits for another record, or for another cause to end.",
      example: "a new game is blocked while its new league is parked."),
    Term(
      name: "in doubt", meaning: "Said of a change that was sent and whose answer did not come.",
      example: "the connection broke after the request left, so the create is in doubt."),
    Term(
      name: "resolve", meaning: "To find out what became of a change in doubt, by looking it up.",
      example: "the record is on the server, so the create is resolved as done."),
    Term(
      name: "maximum request duration",
      meaning: "How long a request whose answer was lost may still be at work on the server.",
      example: "with 120 s, a create in doubt that is not found is sent again after two minutes."),
    Term(
      name: "checked write",
      meaning: "An update or delete before which the record's version is asked for once more.",
      example: "another client changed the game since, so the edit waits for the next download."),
  ]

  // MARK: Removals

  private static let removal: [Term] = [
    Term(
      name: "range comparison",
      meaning:
        "Counting records by ranges of creation time on both sides, to find where one is missing.",
      example: "the server counts 99 games of March and the store 100, so March is divided further."
    ),
    Term(
      name: "bucket", meaning: "The smallest range of a range comparison, whose ids are listed.",
      example: "a bucket of 200 games is listed in one request."),
    Term(
      name: "overlay",
      meaning:
        "A view of a store as it is now, for a plan, which keeps its own changes apart.",
      example: "a plan inserts a game there, and the app sees none."),
    Term(
      name: "absence check",
      meaning:
        "Asking once more, by id, for a record that seems to be gone, before its row is removed.",
      example: "the game aB3 is asked for by id, together with a canary."),
    Term(
      name: "canary",
      meaning: "A record that is known to be there, asked for beside one that seems gone.",
      example: "the server does not show the canary either, so its answer proves nothing."),
    Term(
      name: "proof", meaning: "The facts that the engine needs before it removes a row.",
      example: "a missing record and a canary that was shown are the proof of a deletion."),
    Term(
      name: "guard",
      meaning:
        "The rule that holds back removals and deletes of too large a share of a class until they are "
        + "confirmed.",
      example: "3,000 of 4,000 games are gone, so \"ferry sync --confirm NAME\" is asked for."),
    Term(
      name: "full scan", meaning: "Comparing all records of a class by id and version.",
      example: "\"ferry sync --compare everything\" scans each class in full."),
    Term(
      name: "deletion log",
      meaning: "The ids of deleted records that Ferry's Cloud Code keeps on the server.",
      example: "a class with \"deletionLog\" asks it for the ids since the last sync."),
    Term(
      name: "cloud function",
      meaning: "The part of Ferry's Cloud Code that says which of some ids are gone on the server.",
      example: "a class with \"cloudFunction\" asks it where the server counts fewer records."),
    Term(
      name: "rolling scan", meaning: "A full scan in daily shares.",
      example: "with a share of 1/30 a day, each row is compared once in 30 days."),
  ]

  // MARK: Who is who

  private static let identity: [Term] = [
    Term(
      name: "local id",
      meaning: "The number of a row, which never changes and never leaves the device.",
      example: "the row #12 keeps its number when the server gives it an object id."),
    Term(
      name: "minted", meaning: "Said of an object id that this device made up.",
      example: "a row inserted offline has the minted id 0123456789abcdef0123."),
    Term(
      name: "object id replacement",
      meaning:
        "Replacing a minted id by the server's id, in the row and in all pointers.",
      example: "the league's games get its new id in the same transaction."),
    Term(
      name: "client key",
      meaning:
        "A key that travels with a create where the server names its records, to find it again.",
      example: "the field ferryKey of the record holds the minted id of the row."),
    Term(
      name: "duplicate and original",
      meaning:
        "Of two records that one create made, the older is the original, and the other is deleted.",
      example: "a request arrived twice, and the duplicate's values are kept as a conflict record."),
    Term(
      name: "on demand",
      meaning:
        "Said of a class of which syncs list nothing, and of which the app fetches the records that it needs.",
      example:
        "the class Photo is on demand, so a sync sends edits of photos and brings no new ones."),
    Term(
      name: "fetch", meaning: "To ask the server for the records of a query, and import them.",
      example: "an app fetches the photos of one album."),
    Term(
      name: "result",
      meaning:
        "The answer of the server to a query that a BackendStore keeps, under a name.",
      example: "the result \"album Rome\" has the ids of 50 photos, and is three minutes old."),
    Term(
      name: "store owner", meaning: "The server and the user whose data a store holds.",
      example: "a sync as another user ends with exit code 77 and changes nothing."),
    Term(
      name: "user and nobody",
      meaning:
        "A user is an account of the server, and nobody stands where no account is logged in.",
      example: "nobody's store has the rows that were written before the first login."),
    Term(
      name: "session",
      meaning: "The time in which the server takes a token for a user.",
      example: "the session has ended, so \"ferry sync\" asks for a login and sends nothing."),
    Term(
      name: "anonymous user",
      meaning: "A user without a name, whom a device makes and can name later.",
      example: "an app lets people try it, and each of them gets a name at the sign-up."),
    Term(
      name: "adopt",
      meaning: "To make a store another owner's by saying so once.",
      example:
        "\"ferry sync --adopt anonymous-data\" gives the user what was edited without a login."),
  ]
}
