-- A store of the first format, as the sqlite3 shell dumps it.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE ferry_meta (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
INSERT INTO ferry_meta VALUES('countedThrough',3);
INSERT INTO ferry_meta VALUES('foldedThrough',3);
INSERT INTO ferry_meta VALUES('format',1);
CREATE TABLE ferry_class (
  number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, tableName TEXT NOT NULL,
  acknowledged INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO ferry_class VALUES(1,'League','League',0);
INSERT INTO ferry_class VALUES(2,'Game','Game',2);
CREATE TABLE ferry_field (
  class INTEGER NOT NULL, position INTEGER NOT NULL, columnName TEXT NOT NULL,
  type TEXT NOT NULL, fieldName TEXT, PRIMARY KEY (class, position)
) STRICT, WITHOUT ROWID;
INSERT INTO ferry_field VALUES(1,0,'name','text','name');
INSERT INTO ferry_field VALUES(1,1,'games','array','games');
INSERT INTO ferry_field VALUES(2,0,'title','text','title');
INSERT INTO ferry_field VALUES(2,1,'score','integer','score');
INSERT INTO ferry_field VALUES(2,2,'rating','number','rating');
INSERT INTO ferry_field VALUES(2,3,'isOpen','boolean','isOpen');
INSERT INTO ferry_field VALUES(2,4,'playedAt','date','playedAt');
INSERT INTO ferry_field VALUES(2,5,'league','pointer to League','league');
INSERT INTO ferry_field VALUES(2,6,'logo','bytes','logo');
INSERT INTO ferry_field VALUES(2,7,'details','object','details');
CREATE TABLE ferry_log (
  token INTEGER PRIMARY KEY, class, author, kind, localId, lastId, objectId, acl, createdAt,
  updatedAt
, v0, v1, v2, v3, v4, v5, v6, v7);
INSERT INTO ferry_log VALUES(1,2,1,0,1,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO ferry_log VALUES(2,2,1,0,2,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO ferry_log VALUES(3,2,0,1,1,NULL,NULL,NULL,NULL,NULL,'Final',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO ferry_log VALUES(4,1,0,0,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE ferry_log_time (token INTEGER PRIMARY KEY, time TEXT NOT NULL) STRICT;
INSERT INTO ferry_log_time VALUES(1,'2026-11-21T11:00:36.086Z');
CREATE TABLE ferry_author (author INTEGER PRIMARY KEY) STRICT;
CREATE TABLE ferry_outbox (
  class TEXT NOT NULL, localId INTEGER NOT NULL, objectId TEXT NOT NULL, clientKey TEXT,
  state TEXT NOT NULL, entry TEXT NOT NULL, checksum TEXT NOT NULL,
  PRIMARY KEY (class, localId)
) STRICT;
INSERT INTO ferry_outbox VALUES('Game',1,'one',NULL,'ready','{"acl":null,"attempts":[],"base":{"title":"Final"},"baseVersion":"2026-03-01T18:30:00.250Z","changed":["title"],"className":"Game","createdAt":"2023-11-14T22:13:20.000Z","failures":{"count":0,"isShared":false},"foldedThrough":3,"kind":"update","localID":1,"objectID":"one","state":{"ready":{}}}','dcf7b91574a0ecd0');
CREATE TABLE ferry_reference (
  objectId TEXT NOT NULL, class TEXT NOT NULL, localId INTEGER NOT NULL,
  PRIMARY KEY (objectId, class, localId)
) STRICT, WITHOUT ROWID;
CREATE TABLE ferry_alias (
  old TEXT PRIMARY KEY, new TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE ferry_identity (
  class TEXT NOT NULL, objectId TEXT NOT NULL, localId INTEGER NOT NULL,
  PRIMARY KEY (class, objectId)
) STRICT, WITHOUT ROWID;
CREATE TABLE ferry_conflict (
  id INTEGER PRIMARY KEY AUTOINCREMENT, time TEXT NOT NULL, class TEXT NOT NULL,
  localId INTEGER NOT NULL, objectId TEXT NOT NULL, reason TEXT NOT NULL, lost TEXT NOT NULL,
  kept TEXT NOT NULL, whole INTEGER NOT NULL, acl TEXT, restored INTEGER NOT NULL
) STRICT;
INSERT INTO ferry_conflict VALUES(1,'2026-11-21T11:00:36.086Z','Game',3,'three','removed','{"title":"Third"}','{}',1,'{"*":{"read":true}}',0);
CREATE TABLE ferry_withdrawn (
      class TEXT NOT NULL, objectId TEXT NOT NULL, PRIMARY KEY (class, objectId)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE ferry_quarantine (
  class TEXT NOT NULL, objectId TEXT NOT NULL, version TEXT, createdAt TEXT,
  raw TEXT NOT NULL, reason TEXT NOT NULL, schemaFingerprint TEXT NOT NULL,
  PRIMARY KEY (class, objectId)
) STRICT;
CREATE TABLE ferry_reader (name TEXT PRIMARY KEY, token INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE ferry_bookkeeping (key TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO ferry_bookkeeping VALUES('key','{}');
CREATE TABLE IF NOT EXISTS "League" (
  localId INTEGER PRIMARY KEY AUTOINCREMENT,
  objectId TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(10)))),
  "name" TEXT,
  "games" TEXT,
  acl TEXT,
  createdAt TEXT,
  updatedAt TEXT
) STRICT;
INSERT INTO League VALUES(1,'6f6ad91ebb58ff3a1acd','North',NULL,NULL,NULL,NULL);
CREATE TABLE IF NOT EXISTS "Game" (
  localId INTEGER PRIMARY KEY AUTOINCREMENT,
  objectId TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(10)))),
  "title" TEXT,
  "score" INTEGER DEFAULT 0,
  "rating" REAL,
  "isOpen" INTEGER,
  "playedAt" TEXT,
  "league" TEXT,
  "logo" BLOB,
  "details" TEXT,
  acl TEXT,
  createdAt TEXT,
  updatedAt TEXT
) STRICT;
INSERT INTO Game VALUES(1,'one','Edited',1,2.5,1,NULL,NULL,X'010002','{"a":1}','{"*":{"read":true}}','2023-11-14T22:13:20.000Z','2026-03-01T18:30:00.250Z');
INSERT INTO Game VALUES(2,'two','Final',1,2.5,1,NULL,NULL,X'010002','{"a":1}','{"*":{"read":true}}','2023-11-14T22:13:20.000Z','2026-03-01T18:30:00.250Z');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('Game',2);
INSERT INTO sqlite_sequence VALUES('League',1);
CREATE INDEX ferry_outbox_object ON ferry_outbox (class, objectId);
CREATE INDEX ferry_outbox_key ON ferry_outbox (class, clientKey) WHERE clientKey IS NOT NULL;
CREATE INDEX ferry_reference_row ON ferry_reference (class, localId);
CREATE INDEX ferry_alias_new ON ferry_alias (new);
CREATE TRIGGER ferry_update_1 AFTER UPDATE ON "League"
WHEN OLD.localId IS NOT NEW.localId OR OLD."name" IS NOT NEW."name" OR OLD."games" IS NOT NEW."games"
BEGIN
  INSERT INTO ferry_log (class, author, kind, localId, v0, v1) VALUES (1, EXISTS (SELECT 1 FROM ferry_author), 1, iif(OLD.localId IS NEW.localId, OLD.localId, RAISE(ABORT, 'League: localId never changes. The row was not changed.')), iif(OLD."name" IS NEW."name", NULL, ifnull(OLD."name", X'')), iif(OLD."games" IS NEW."games", NULL, ifnull(OLD."games", X'')));
END;
CREATE TRIGGER ferry_protect_1 BEFORE UPDATE OF objectId, acl, createdAt, updatedAt ON "League"
WHEN (OLD.objectId IS NOT NEW.objectId OR OLD.acl IS NOT NEW.acl OR OLD.createdAt IS NOT NEW.createdAt OR OLD.updatedAt IS NOT NEW.updatedAt) AND NOT EXISTS (SELECT 1 FROM ferry_author)
BEGIN
  SELECT RAISE(ABORT, 'League: objectId, acl, createdAt and updatedAt come from the server. The row was not changed. Leave these columns as they are.');
END;
CREATE TRIGGER ferry_delete_1 AFTER DELETE ON "League"
BEGIN
  INSERT INTO ferry_log (class, author, kind, localId, objectId, acl, createdAt, updatedAt, v0, v1) VALUES (1, EXISTS (SELECT 1 FROM ferry_author), 2, OLD.localId, OLD.objectId, OLD.acl, OLD.createdAt, OLD.updatedAt, OLD."name", OLD."games");
END;
CREATE TRIGGER ferry_before_insert_1 BEFORE INSERT ON "League"
WHEN (NEW.createdAt IS NOT NULL OR NEW.updatedAt IS NOT NULL OR NEW.acl IS NOT NULL OR NEW.objectId = '' OR (NEW.localId > 0 AND EXISTS (SELECT 1 FROM "League" WHERE localId = NEW.localId)) OR EXISTS (SELECT 1 FROM "League" WHERE objectId = NEW.objectId)) AND NOT EXISTS (SELECT 1 FROM ferry_author)
BEGIN
  SELECT RAISE(ABORT, 'League: createdAt, updatedAt and acl come from the server, and an objectId may not be empty. The row was not inserted. Leave these columns out.') WHERE NEW.createdAt IS NOT NULL OR NEW.updatedAt IS NOT NULL OR NEW.acl IS NOT NULL OR NEW.objectId = '';
  INSERT INTO ferry_log (class, author, kind, localId, objectId, acl, createdAt, updatedAt, v0, v1) SELECT 1, 0, 3, localId, objectId, acl, createdAt, updatedAt, "name", "games" FROM "League" WHERE localId = NEW.localId;
  INSERT INTO ferry_log (class, author, kind, localId, objectId, acl, createdAt, updatedAt, v0, v1) SELECT 1, 0, 3, localId, objectId, acl, createdAt, updatedAt, "name", "games" FROM "League" WHERE objectId = NEW.objectId AND localId IS NOT NEW.localId;
END;
CREATE TRIGGER ferry_after_insert_1 AFTER INSERT ON "League"
WHEN NOT EXISTS (SELECT 1 FROM ferry_author)
BEGIN
  INSERT INTO ferry_log (class, author, kind, localId, objectId, acl, createdAt, updatedAt, v0, v1) SELECT 1, 0, 2, iif(d.localId = NEW.localId AND d.objectId IS NOT NEW.objectId, RAISE(ABORT, 'League: a row keeps its objectId as long as it lives, and this insert would put another record in its place. Nothing was replaced. Use UPDATE, or leave localId out.'), d.localId), d.objectId, d.acl, d.createdAt, d.updatedAt, d.v0, d.v1 FROM ferry_log d WHERE (SELECT kind FROM ferry_log ORDER BY token DESC LIMIT 1) > 1 AND d.token IN (SELECT max(token) FROM ferry_log WHERE token > (SELECT max(token) FROM ferry_log) - 4 AND class = 1 AND kind = 3 GROUP BY localId) AND ((d.localId = NEW.localId AND d.objectId IS NOT NEW.objectId) OR ((SELECT kind FROM ferry_log ORDER BY token DESC LIMIT 1) = 3 AND (d.localId = NEW.localId OR NOT EXISTS (SELECT 1 FROM "League" WHERE localId = d.localId))));
  INSERT INTO ferry_log (class, author, kind, localId) VALUES (1, 0, 0, NEW.localId);
END;
CREATE TRIGGER ferry_update_2 AFTER UPDATE ON "Game"
WHEN OLD.localId IS NOT NEW.localId OR OLD."title" IS NOT NEW."title" OR OLD."score" IS NOT NEW."score" OR OLD."rating" IS NOT NEW."rating" OR OLD."isOpen" IS NOT NEW."isOpen" OR OLD."playedAt" IS NOT NEW."playedAt" OR OLD."league" IS NOT NEW."league" OR OLD."logo" IS NOT NEW."logo" OR OLD."details" IS NOT NEW."details"
BEGIN
  INSERT INTO ferry_log (class, author, kind, localId, v0, v1, v2, v3, v4, v5, v6, v7) VALUES (2, EXISTS (SELECT 1 FROM ferry_author), 1, iif(OLD.localId IS NEW.localId, OLD.localId, RAISE(ABORT, 'Game: localId never changes. The row was not changed.')), iif(OLD."title" IS NEW."title", NULL, ifnull(OLD."title", X'')), iif(OLD."score" IS NEW."score", NULL, ifnull(OLD."score", X'')), iif(OLD."rating" IS NEW."rating", NULL, ifnull(OLD."rating", X'')), iif(OLD."isOpen" IS NEW."isOpen", NULL, ifnull(OLD."isOpen", X'')), iif(OLD."playedAt" IS NEW."playedAt", NULL, ifnull(OLD."playedAt", X'')), iif(OLD."league" IS NEW."league", NULL, ifnull(OLD."league", X'')), iif(OLD."logo" IS NEW."logo", NULL, ifnull(OLD."logo", 0)), iif(OLD."details" IS NEW."details", NULL, ifnull(OLD."details", X'')));
END;
CREATE TRIGGER ferry_protect_2 BEFORE UPDATE OF objectId, acl, createdAt, updatedAt ON "Game"
WHEN (OLD.objectId IS NOT NEW.objectId OR OLD.acl IS NOT NEW.acl OR OLD.createdAt IS NOT NEW.createdAt OR OLD.updatedAt IS NOT NEW.updatedAt) AND NOT EXISTS (SELECT 1 FROM ferry_author)
BEGIN
  SELECT RAISE(ABORT, 'Game: objectId, acl, createdAt and updatedAt come from the server. The row was not changed. Leave these columns as they are.');
END;
CREATE TRIGGER ferry_delete_2 AFTER DELETE ON "Game"
BEGIN
  INSERT INTO ferry_log (class, author, kind, localId, objectId, acl, createdAt, updatedAt, v0, v1, v2, v3, v4, v5, v6, v7) VALUES (2, EXISTS (SELECT 1 FROM ferry_author), 2, OLD.localId, OLD.objectId, OLD.acl, OLD.createdAt, OLD.updatedAt, OLD."title", OLD."score", OLD."rating", OLD."isOpen", OLD."playedAt", OLD."league", OLD."logo", OLD."details");
END;
CREATE TRIGGER ferry_before_insert_2 BEFORE INSERT ON "Game"
WHEN (NEW.createdAt IS NOT NULL OR NEW.updatedAt IS NOT NULL OR NEW.acl IS NOT NULL OR NEW.objectId = '' OR (NEW.localId > 0 AND EXISTS (SELECT 1 FROM "Game" WHERE localId = NEW.localId)) OR EXISTS (SELECT 1 FROM "Game" WHERE objectId = NEW.objectId)) AND NOT EXISTS (SELECT 1 FROM ferry_author)
BEGIN
  SELECT RAISE(ABORT, 'Game: createdAt, updatedAt and acl come from the server, and an objectId may not be empty. The row was not inserted. Leave these columns out.') WHERE NEW.createdAt IS NOT NULL OR NEW.updatedAt IS NOT NULL OR NEW.acl IS NOT NULL OR NEW.objectId = '';
  INSERT INTO ferry_log (class, author, kind, localId, objectId, acl, createdAt, updatedAt, v0, v1, v2, v3, v4, v5, v6, v7) SELECT 2, 0, 3, localId, objectId, acl, createdAt, updatedAt, "title", "score", "rating", "isOpen", "playedAt", "league", "logo", "details" FROM "Game" WHERE localId = NEW.localId;
  INSERT INTO ferry_log (class, author, kind, localId, objectId, acl, createdAt, updatedAt, v0, v1, v2, v3, v4, v5, v6, v7) SELECT 2, 0, 3, localId, objectId, acl, createdAt, updatedAt, "title", "score", "rating", "isOpen", "playedAt", "league", "logo", "details" FROM "Game" WHERE objectId = NEW.objectId AND localId IS NOT NEW.localId;
END;
CREATE TRIGGER ferry_after_insert_2 AFTER INSERT ON "Game"
WHEN NOT EXISTS (SELECT 1 FROM ferry_author)
BEGIN
  INSERT INTO ferry_log (class, author, kind, localId, objectId, acl, createdAt, updatedAt, v0, v1, v2, v3, v4, v5, v6, v7) SELECT 2, 0, 2, iif(d.localId = NEW.localId AND d.objectId IS NOT NEW.objectId, RAISE(ABORT, 'Game: a row keeps its objectId as long as it lives, and this insert would put another record in its place. Nothing was replaced. Use UPDATE, or leave localId out.'), d.localId), d.objectId, d.acl, d.createdAt, d.updatedAt, d.v0, d.v1, d.v2, d.v3, d.v4, d.v5, d.v6, d.v7 FROM ferry_log d WHERE (SELECT kind FROM ferry_log ORDER BY token DESC LIMIT 1) > 1 AND d.token IN (SELECT max(token) FROM ferry_log WHERE token > (SELECT max(token) FROM ferry_log) - 4 AND class = 2 AND kind = 3 GROUP BY localId) AND ((d.localId = NEW.localId AND d.objectId IS NOT NEW.objectId) OR ((SELECT kind FROM ferry_log ORDER BY token DESC LIMIT 1) = 3 AND (d.localId = NEW.localId OR NOT EXISTS (SELECT 1 FROM "Game" WHERE localId = d.localId))));
  INSERT INTO ferry_log (class, author, kind, localId) VALUES (2, 0, 0, NEW.localId);
END;
COMMIT;
