// Ferry: offline-first sync for Parse Server. MIT licence.

/// What `ferry help configuration` says.
enum ConfigurationHelp {
  static let text = """
    ferry.json says which classes of which server the folder holds. "ferry init"
    writes it; edit it as you like.

    {
      "server": "https://parse.example.com/1",
      "applicationId": "demo",
      "restKeyFile": "rest.key",
      "classes": {
        "League": {
          "fields": { "name": { "type": "String" } }
        },
        "Game": {
          "fields": {
            "title": { "type": "String" },
            "score": { "type": "Number", "integer": true },
            "league": { "type": "Pointer", "targetClass": "League" }
          },
          "deletions": "counting"
        }
      }
    }

    server          The address of the Parse Server, with its mount path.
    applicationId   The application's id.
    restKeyFile, masterKeyFile, sessionTokenFile
                    Files with one secret each; a relative path starts at the
                    folder of ferry.json. You may leave out each of them.
    classes         The classes, in the form of Parse's own schemas. ferry neither
                    reads nor changes fields that the file does not name.

    A field's type is String, Number, Boolean, Date, Pointer, Bytes, Object, Array,
    GeoPoint, Polygon, File or Relation. A Number with "integer": true has no
    fraction. "table" in a class and "column" in a field give the table and the
    column another name. "ferry help columns" says how columns hold each type.

    "merge" in a field says how edits of both sides become one value: "increment"
    adds up what both sides add to a Number, "set" keeps the additions and removals
    of both in an Array, "lines" the changed lines of a String. Without it, one of
    the two values stays. "defaultValue" in a field is what a new row has there if
    the app gives it no other value.

    "replacedFiles" in a field of type File says what becomes of a file that the app
    replaces, clears or deletes with its row: "keep" (the default) leaves it on the
    server, "delete" lets a sync with the master key remove it a week later.

    A class with "onDemand": true keeps the rows that the app asks for. A sync lists
    none of its records, and sends the changes of its rows.

    A class's "deletions" say how ferry finds records that vanish on the server:
    "counting" (the default) compares counts, "fullScan" lists all ids every time,
    "deletionLog" reads the log of Ferry's Cloud Code on the server, "cloudFunction"
    asks that code which ids are gone, "never" keeps the rows here, and
    { "softDelete": "isRemoved" } names a Boolean field that marks deleted records.

    A class's "access" says who may read and change new records: "creator" (the
    user who creates them), or an access list in Parse's form, in which "creator"
    means that user: { "creator": { "read": true, "write": true },
    "*": { "read": true } }. Without the key, the server decides.

    A class's "filter" says which records ferry keeps here, in the form of Parse's
    "where": { "season": 2026, "endedAt": null }. It may use plain values, $in,
    $exists, $lt, $lte, $gt and $gte of numbers, $gte and $lt of dates, $or, $and.

    A class with "membersOf" holds the members of a relation, which the server
    keeps beside the records: { "className": "Team", "field": "players",
    "targetClass": "Player" }. It has no "fields".

    A class's "indexes" say by which fields queries find rows quickly, such as
    [["league", "title"], ["updatedAt"]]. Without the key, indexes stay as they are.
    """
}
