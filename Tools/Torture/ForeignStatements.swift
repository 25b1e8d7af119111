// Ferry: offline-first sync for Parse Server. MIT licence.

/// Work of a foreign program on the tables of a store, from a seed.
///
/// Every title is unique, so that each row can be found on the server.
struct ForeignStatements {
  /// One piece of work for the `sqlite3` shell.
  struct Work {
    var name: String
    var sql: String
    /// Whether the work needs the database for itself, and may fail for that.
    var needsAll = false
  }

  var chance: Chance
  private var titleCount = 0
  private var columnCount = 0

  init(seed: Int) { chance = Chance(seed: seed) }

  /// The objects of the app's own, made once: triggers, a view, a table and a column with foreign keys.
  ///
  /// The triggers fire only where the app changes something, not where a sync writes the same values.
  static let installation = """
    ALTER TABLE Game ADD COLUMN team INTEGER REFERENCES Team (localId) ON DELETE CASCADE;
    CREATE TABLE app_log (id INTEGER PRIMARY KEY, game INTEGER REFERENCES Game (localId) ON DELETE CASCADE);
    CREATE INDEX app_score ON Game (score);
    CREATE VIEW app_games AS SELECT title, score FROM Game;
    CREATE TRIGGER app_view INSTEAD OF INSERT ON app_games
    BEGIN INSERT INTO Game (title, score) VALUES (NEW.title, NEW.score); END;
    CREATE TRIGGER app_points AFTER UPDATE OF score ON Game
    WHEN OLD.score IS NOT NEW.score AND NEW.score > 500
    BEGIN UPDATE Team SET points = ifnull(points, 0) + 1 WHERE objectId = NEW.home; END;
    CREATE TRIGGER app_note AFTER INSERT ON Game WHEN NEW.note IS NULL
    BEGIN UPDATE Game SET note = 'by a trigger' WHERE localId = NEW.localId; END;
    CREATE TRIGGER app_memory AFTER DELETE ON Game WHEN OLD.score > 900
    BEGIN INSERT INTO Game (title, score, note) VALUES ('memory of ' || OLD.title, 0, 'memory'); END;
    """

  /// Pieces of work, one after another.
  mutating func works(_ count: Int) -> [Work] { (0..<count).map { _ in work() } }

  private mutating func work() -> Work {
    switch chance.number(0...24) {
    case 0: Work(name: "VACUUM", sql: "VACUUM;", needsAll: true)
    case 1: Work(name: "REINDEX, ANALYZE", sql: "REINDEX; ANALYZE; PRAGMA optimize;")
    case 2: addColumn()
    case 3: renameTable()
    case 4: attach()
    case 5: savepoint()
    case 6: replace()
    case 7: upsert()
    case 8:
      Work(
        name: "UPDATE OR IGNORE", sql: "UPDATE OR IGNORE Game SET score = score + 1 WHERE \(some);")
    case 9: refused("UPDATE Game SET localId = localId + 100000 WHERE \(some);")
    case 10:
      refused(
        "UPDATE OR REPLACE Game SET objectId = (SELECT min(objectId) FROM Game) WHERE \(some);")
    case 11: massDelete()
    case 12: cascade()
    case 13: temporaries()
    case 14: journal()
    case 15:
      Work(
        name: "user_version",
        sql: "PRAGMA user_version = \(chance.number(1...99)); PRAGMA integrity_check;")
    case 16:
      Work(
        name: "triggers", sql: "UPDATE Game SET score = \(chance.number(501...999)) WHERE \(some);")
    case 17: Work(name: "view", sql: "INSERT INTO app_games (title, score) VALUES (\(title()), 7);")
    case 18:
      refused(
        "DELETE FROM ferry_outbox; UPDATE ferry_log SET kind = 2; INSERT INTO ferry_meta VALUES ('x', 1);"
      )
    case 19: rollback()
    default: plainEdits()
    }
  }

  /// A condition that a few rows meet.
  private var some: String {
    mutating get { "localId % 7 = \(chance.number(0...6)) AND localId > \(chance.number(0...60))" }
  }

  private mutating func title() -> String {
    titleCount += 1
    return "'t\(titleCount)'"
  }

  private mutating func plainEdits() -> Work {
    let inserts = (1...chance.number(1...3)).map { _ in
      "INSERT INTO Game (title, score, home) VALUES (\(title()), \(chance.number(0...999)),"
        + " (SELECT objectId FROM Team ORDER BY localId DESC LIMIT 1));"
    }
    let edit = "UPDATE Game SET score = \(chance.number(0...500)), note = \(title()) WHERE \(some);"
    let team = "INSERT INTO Team (title) VALUES (\(title()));"
    let delete = "DELETE FROM Game WHERE \(some) AND localId % 3 = 0;"
    return Work(
      name: "plain edits", sql: ([team] + inserts + [edit, delete]).joined(separator: "\n"))
  }

  private mutating func refused(_ sql: String) -> Work { Work(name: "refused", sql: sql) }

  private mutating func addColumn() -> Work {
    columnCount += 1
    let (name, other) = ("own\(columnCount)", "mine\(columnCount)")
    return Work(
      name: "ALTER TABLE",
      sql: """
        ALTER TABLE Game ADD COLUMN \(name) TEXT DEFAULT 'x';
        UPDATE Game SET \(name) = 'y' WHERE \(some);
        ALTER TABLE Game RENAME COLUMN \(name) TO \(other);
        INSERT INTO Game (title, \(other)) VALUES (\(title()), 'z');
        """ + (chance.oneIn(2) ? "\nALTER TABLE Game DROP COLUMN \(other);" : ""))
  }

  private mutating func renameTable() -> Work {
    Work(
      name: "table renamed and back",
      sql: """
        BEGIN IMMEDIATE; ALTER TABLE Game RENAME TO Former; ALTER TABLE Former RENAME TO Game; COMMIT;
        UPDATE Game SET score = \(chance.number(0...500)) WHERE \(some);
        INSERT INTO Game (title) VALUES (\(title()));
        """)
  }

  private mutating func attach() -> Work {
    Work(
      name: "ATTACH",
      sql: """
        .open other.sqlite
        .timeout 5000
        ATTACH 'store.sqlite' AS s;
        CREATE TABLE IF NOT EXISTS copy (title, score);
        BEGIN IMMEDIATE;
        INSERT INTO copy SELECT title, score FROM s.Game;
        INSERT INTO s.Game (title, score) VALUES (\(title()), 3);
        UPDATE s.Game SET score = (SELECT count(*) FROM copy) WHERE \(some);
        DELETE FROM s.Game WHERE \(some) AND localId % 5 = 0;
        COMMIT;
        .open store.sqlite
        """)
  }

  private mutating func savepoint() -> Work {
    Work(
      name: "savepoints",
      sql: """
        BEGIN IMMEDIATE;
        INSERT INTO Game (title, score) VALUES (\(title()), 1);
        SAVEPOINT a; UPDATE Game SET score = 444, note = 'never' WHERE \(some);
        DELETE FROM Game WHERE \(some); INSERT INTO Game (title) VALUES (\(title()));
        SAVEPOINT b; INSERT INTO Game (title) VALUES (\(title())); RELEASE b;
        ROLLBACK TO a;
        UPDATE Game SET note = \(title()) WHERE \(some); RELEASE a;
        COMMIT;
        """)
  }

  private mutating func rollback() -> Work {
    Work(
      name: "ROLLBACK",
      sql:
        "BEGIN IMMEDIATE; DELETE FROM Game; INSERT INTO Game (title) VALUES (\(title())); ROLLBACK;"
    )
  }

  private mutating func replace() -> Work {
    Work(
      name: "REPLACE",
      sql: """
        \(chance.oneIn(2) ? "PRAGMA recursive_triggers = ON;" : "")
        REPLACE INTO Game (localId, objectId, title, score, note, home)
          SELECT localId, objectId, title, ifnull(score, 0) + 1, 'replaced', home FROM Game WHERE \(some);
        INSERT OR REPLACE INTO Game (objectId, title, score)
          SELECT objectId, title, 12 FROM Game WHERE \(some) LIMIT 1;
        PRAGMA recursive_triggers = OFF;
        """)
  }

  private mutating func upsert() -> Work {
    Work(
      name: "UPSERT",
      sql: """
        INSERT INTO Game (objectId, title, score, note)
          SELECT objectId, title, 13, 'upsert' FROM Game WHERE \(some)
          ON CONFLICT (objectId) DO UPDATE SET score = excluded.score, note = excluded.note;
        INSERT OR IGNORE INTO Game (objectId, title) SELECT objectId, 'ignored' FROM Game WHERE \(some);
        """)
  }

  private mutating func massDelete() -> Work {
    Work(name: "mass delete", sql: "DELETE FROM Game WHERE localId % 2 = \(chance.number(0...1));")
  }

  private mutating func cascade() -> Work {
    Work(
      name: "ON DELETE CASCADE",
      sql: """
        PRAGMA foreign_keys = ON;
        INSERT INTO app_log (game) SELECT localId FROM Game WHERE \(some);
        UPDATE Game SET team = (SELECT max(localId) FROM Team) WHERE \(some);
        UPDATE Game SET home = NULL
          WHERE home = (SELECT objectId FROM Team ORDER BY localId DESC LIMIT 1);
        DELETE FROM Team WHERE localId = (SELECT max(localId) FROM Team);
        PRAGMA foreign_keys = OFF;
        """)
  }

  private mutating func temporaries() -> Work {
    Work(
      name: "temporary tables and triggers",
      sql: """
        CREATE TEMP TABLE picked AS SELECT localId FROM Game WHERE \(some);
        CREATE TEMP TRIGGER picker AFTER UPDATE OF score ON Game
        BEGIN INSERT INTO picked VALUES (NEW.localId); END;
        UPDATE Game SET score = 21 WHERE localId IN (SELECT localId FROM picked);
        UPDATE Game SET note = \(title()) WHERE localId IN (SELECT localId FROM picked);
        DROP TRIGGER picker; DROP TABLE picked;
        """)
  }

  private mutating func journal() -> Work {
    Work(
      name: "journal mode",
      sql: """
        PRAGMA journal_mode = DELETE;
        INSERT INTO Game (title) VALUES (\(title()));
        UPDATE Game SET score = \(chance.number(0...500)) WHERE \(some);
        """, needsAll: true)
  }
}
