// Ferry: offline-first sync for Parse Server. MIT licence.

/// How the columns of an app's tables hold each type of field: the source of `ferry help columns`.
enum ColumnHelp {
  struct Row: Sendable {
    /// The type as `ferry.json` names it.
    var type: String
    /// The type as a schema in Swift names it.
    var swift: String
    /// The type of the column.
    var column: String
    /// The content of the column, in a sentence.
    var content: String
    /// An expression of SQL that such a column takes; nil where only Ferry writes it.
    var sql: String?
  }

  static let rows: [Row] = [
    Row(
      type: "String", swift: ".text", column: "TEXT", content: "The text.", sql: "'Final'"),
    Row(
      type: "Number", swift: ".number", column: "REAL", content: "The number.", sql: "12.5"),
    Row(
      type: "Number, \"integer\": true", swift: ".integer", column: "INTEGER",
      content: "The whole number.", sql: "12"),
    Row(
      type: "Boolean", swift: ".boolean", column: "INTEGER", content: "1 for true, 0 for false.",
      sql: "1"),
    Row(
      type: "Date", swift: ".date", column: "TEXT",
      content: "The instant in UTC, as 2026-03-01T18:30:00.250Z. Ferry also reads the forms that "
        + "SQLite's date functions write.",
      sql: "datetime('2026-03-01 18:30:00')"),
    Row(
      type: "Pointer", swift: ".pointer(to:)", column: "TEXT",
      content: "The objectId of the row to which it points.",
      sql: "(SELECT objectId FROM League WHERE name = 'North')"),
    Row(type: "Bytes", swift: ".bytes", column: "BLOB", content: "The bytes.", sql: "x'6869'"),
    Row(
      type: "Object", swift: ".object", column: "TEXT", content: "JSON.",
      sql: "json_object('half', 2)"),
    Row(
      type: "Array", swift: ".array", column: "TEXT", content: "JSON.",
      sql: "json_array('home', 1)"),
    Row(
      type: "GeoPoint", swift: ".geoPoint", column: "TEXT", content: "JSON as Parse writes it.",
      sql: #"'{"__type":"GeoPoint","latitude":52.5,"longitude":13.4}'"#),
    Row(
      type: "Polygon", swift: ".polygon", column: "TEXT", content: "JSON as Parse writes it.",
      sql: #"'{"__type":"Polygon","coordinates":[[0,0],[0,1],[1,1],[0,0]]}'"#),
    Row(
      type: "File", swift: ".file", column: "TEXT",
      content:
        "JSON as Parse writes it: a file that the server has, or a new one by the value that `newFile` gives.",
      sql: #"'{"__type":"File","name":"a.png","url":"https://example.com/a.png"}'"#),
    Row(
      type: "Relation", swift: ".relation(to:)", column: "TEXT",
      content: "JSON with the class of its records. The members are rows of a class of their own.",
      sql: nil),
  ]

  static var text: String {
    let head =
      "Each class is a table, and each field a column. A field without a value is NULL. This is how a "
      + "column holds each type of field in ferry.json, with an example in SQL:"
    let own =
      "Each table also has the columns localId, the number of the row, objectId, the record's id, and "
      + "createdAt and updatedAt, which come from the server. A statement that changes one of these fails and says why. acl is "
      + "the access list in JSON, and can be changed like a field."
    return ([wrapped(head), ""] + rows.flatMap(lines) + ["", wrapped(own)]).joined(separator: "\n")
  }

  private static func lines(_ row: Row) -> [String] {
    let content = HelpText.wrapped(row.content, indent: 4)
    return ["  \(row.type): a column \(row.column)"] + content
      + (row.sql.map { ["      \($0)"] } ?? [])
  }

  private static func wrapped(_ text: String) -> String {
    HelpText.wrapped(text, indent: 0).joined(separator: "\n")
  }
}
