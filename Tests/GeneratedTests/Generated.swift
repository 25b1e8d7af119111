// Made by "ferry generate swift" from ferry.json. Do not edit: change ferry.json and make it again.
// swift-format-ignore-file

import Ferry
import Foundation

extension Schema {
  /// The classes of ferry.json, in its order.
  static let app: Schema = {
    var schema = Schema([
      Game.entity,
      League.entity,
      Log.entity,
      Empty.entity,
      Fans.entity,
      Names.entity,
      UserRow.entity,
      Role.entity,
      Installation.entity,
      User.entity,
      GameRow.entity,
      ValueRowRow.entity,
      ValueRow.entity,
      ValueRowRowRow.entity,
      QueryRow.entity,
      DataRow.entity,
      DateRow.entity,
      StringRow.entity,
      RecordRow.entity,
      FieldRow.entity,
      FieldsRow.entity,
      FieldNameRow.entity,
      CodingKeysRow.entity,
      IntRow.entity,
      BoolRow.entity,
      DoubleRow.entity,
      PointerRow.entity,
      FileRow.entity,
      GeoPointRow.entity,
      LocalIDRow.entity,
      SyncEntityRow.entity,
      SchemaRow.entity,
      EntityRow.entity,
      ConditionRow.entity,
      TimestampRow.entity,
      UInt8Row.entity,
      FoundationRow.entity,
      FerryRow.entity,
      SwiftRow.entity,
      TypeRow.entity,
      SelfRow.entity,
      AnyRow.entity,
      ProtocolRow.entity,
      OptionalRow.entity,
      EquatableRow.entity,
      CodingKeyRow.entity,
      TaskRow.entity,
      URLRow.entity,
      ErrorRow.entity,
      CodableRow.entity,
      DecoderRow.entity,
      EncoderRow.entity,
      HasherRow.entity,
      Default.entity,
      Class.entity,
      SelfRowRow.entity,
      Init.entity,
      Struct.entity,
      Func.entity,
      Import.entity,
      Let.entity,
      In.entity,
      X1.entity,
      A_B.entity,
      NeverRow.entity,
      SendableRow.entity,
      KeyedDecodingContainer.entity,
      VoidRow.entity,
      ObjectIdentifierRow.entity,
      Container.entity,
    ])
    schema.name = "ferry.json"
    return schema
  }()

  /// The structs of this file, for `SyncCoordinator(store:server:staging:checking:)`.
  static let appTypes: [any SyncEntity.Type] = [
    Game.self,
    League.self,
    Log.self,
    Empty.self,
    Fans.self,
    Names.self,
    UserRow.self,
    Role.self,
    Installation.self,
    User.self,
    GameRow.self,
    ValueRowRow.self,
    ValueRow.self,
    ValueRowRowRow.self,
    QueryRow.self,
    DataRow.self,
    DateRow.self,
    StringRow.self,
    RecordRow.self,
    FieldRow.self,
    FieldsRow.self,
    FieldNameRow.self,
    CodingKeysRow.self,
    IntRow.self,
    BoolRow.self,
    DoubleRow.self,
    PointerRow.self,
    FileRow.self,
    GeoPointRow.self,
    LocalIDRow.self,
    SyncEntityRow.self,
    SchemaRow.self,
    EntityRow.self,
    ConditionRow.self,
    TimestampRow.self,
    UInt8Row.self,
    FoundationRow.self,
    FerryRow.self,
    SwiftRow.self,
    TypeRow.self,
    SelfRow.self,
    AnyRow.self,
    ProtocolRow.self,
    OptionalRow.self,
    EquatableRow.self,
    CodingKeyRow.self,
    TaskRow.self,
    URLRow.self,
    ErrorRow.self,
    CodableRow.self,
    DecoderRow.self,
    EncoderRow.self,
    HasherRow.self,
    Default.self,
    Class.self,
    SelfRowRow.self,
    Init.self,
    Struct.self,
    Func.self,
    Import.self,
    Let.self,
    In.self,
    X1.self,
    A_B.self,
    NeverRow.self,
    SendableRow.self,
    KeyedDecodingContainer.self,
    VoidRow.self,
    ObjectIdentifierRow.self,
    Container.self,
  ]
}

/// A row of the class `Game`, in the table `games`.
///
/// The members of a relation are rows of another class, so these have no property: `fans`.
struct Game: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let title = "title"
    static let note = "note"
    static let score = "score"
    static let round = "round"
    static let rating = "rating"
    static let weight = "weight"
    static let level = "level"
    static let isOver = "isOver"
    static let isGone = "isGone"
    static let playedAt = "playedAt"
    static let league = "league"
    static let owner = "owner"
    static let ticket = "ticket"
    static let details = "details"
    static let empty = "empty"
    static let tags = "tags"
    static let place = "place"
    static let area = "area"
    static let poster = "poster"
    static let season = "season"
    static let rules = "rules"
    static let players = "players"
    static let state = "state"
    static let fans = "fans"
  }

  static let className = "Game"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<Game>: String] {
    [
      \Game.objectId: "objectId",
      \Game.createdAt: "createdAt",
      \Game.updatedAt: "updatedAt",
      \Game.title: FieldName.title,
      \Game.note: FieldName.note,
      \Game.score: FieldName.score,
      \Game.round: FieldName.round,
      \Game.rating: FieldName.rating,
      \Game.weight: FieldName.weight,
      \Game.level: FieldName.level,
      \Game.isOver: FieldName.isOver,
      \Game.isGone: FieldName.isGone,
      \Game.playedAt: FieldName.playedAt,
      \Game.league: FieldName.league,
      \Game.owner: FieldName.owner,
      \Game.ticket: FieldName.ticket,
      \Game.details: FieldName.details,
      \Game.empty: FieldName.empty,
      \Game.tags: FieldName.tags,
      \Game.place: FieldName.place,
      \Game.area: FieldName.area,
      \Game.poster: FieldName.poster,
      \Game.season: FieldName.season,
      \Game.rules: FieldName.rules,
      \Game.players: FieldName.players,
      \Game.state: FieldName.state,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var title: String?
  /// String, with a default in new rows.
  var note: String?
  /// Number without a fraction, with a default in new rows.
  var score: Int?
  /// Number without a fraction, with a default in new rows.
  var round: Int?
  /// Number, with a default in new rows.
  var rating: Double?
  /// Number, with a default in new rows.
  var weight: Double?
  /// Number, with a default in new rows.
  var level: Double?
  /// Boolean, with a default in new rows.
  var isOver: Bool?
  /// Boolean.
  var isGone: Bool?
  /// Date, to the millisecond, with a default in new rows.
  var playedAt: Date?
  /// Pointer to `League`, with a default in new rows.
  var league: Pointer?
  /// Pointer to `_User`.
  var owner: Pointer?
  /// Bytes, with a default in new rows.
  var ticket: Data?
  /// Object, with a default in new rows.
  var details: [String: Value]?
  /// Object, with a default in new rows.
  var empty: [String: Value]?
  /// Array, with a default in new rows.
  var tags: [Value]?
  /// GeoPoint, with a default in new rows.
  var place: GeoPoint?
  /// Polygon, as a `Value.polygon`, with a default in new rows.
  var area: Value?
  /// File, as its name and address, with a default in new rows.
  var poster: File?
  /// Number without a fraction.
  var season: Int?
  /// String, merged by lines.
  var rules: String?
  /// Array, with a default in new rows, merged by set.
  var players: [Value]?
  /// String.
  var state: String?

  /// A new row, which the store has once it is inserted.
  init(
    title: String? = nil,
    note: String? = "a \"quoted\" \\(1 + 1) line\u{A}/* */ \u{1} \u{202E} gr\u{F6}\u{DF}er \u{1F41F}",
    score: Int? = 3,
    round: Int? = -4,
    rating: Double? = 2.5,
    weight: Double? = 1e+300,
    level: Double? = 2.0,
    isOver: Bool? = false,
    isGone: Bool? = nil,
    playedAt: Date? = Timestamp(milliseconds: 1772389800251).date,
    league: Pointer? = Pointer(className: "League", objectID: "l1"),
    owner: Pointer? = nil,
    ticket: Data? = Data([0, 1, 255] as [UInt8]),
    details: [String: Value]? = ["at": .date(Timestamp(milliseconds: 1772389800001)), "deep": .object(["list": .array([.integer(1), .string("a"), .null, .boolean(true), .number(0.5)])]), "half": .integer(2)],
    empty: [String: Value]? = [:],
    tags: [Value]? = [.string("home"), .integer(1), .object(["a": .array([]), "b": .null])],
    place: GeoPoint? = GeoPoint(latitude: 52.5, longitude: -13.25),
    area: Value? = .polygon([GeoPoint(latitude: 0.0, longitude: 0.0), GeoPoint(latitude: 0.0, longitude: 1.5), GeoPoint(latitude: 1.0, longitude: 1.0), GeoPoint(latitude: 0.0, longitude: 0.0)]),
    poster: File? = File(name: "a.png", url: "https://example.com/a.png"),
    season: Int? = nil,
    rules: String? = nil,
    players: [Value]? = [],
    state: String? = nil
  ) {
    self.title = title
    self.note = note
    self.score = score
    self.round = round
    self.rating = rating
    self.weight = weight
    self.level = level
    self.isOver = isOver
    self.isGone = isGone
    self.playedAt = playedAt
    self.league = league
    self.owner = owner
    self.ticket = ticket
    self.details = details
    self.empty = empty
    self.tags = tags
    self.place = place
    self.area = area
    self.poster = poster
    self.season = season
    self.rules = rules
    self.players = players
    self.state = state
  }
}

extension Game {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className, table: "games") {
    Field(FieldName.title, .text)
    Field(FieldName.note, .text, column: "noteText", default: .string("a \"quoted\" \\(1 + 1) line\u{A}/* */ \u{1} \u{202E} gr\u{F6}\u{DF}er \u{1F41F}"))
    Field(FieldName.score, .integer, default: .integer(3))
    Field(FieldName.round, .integer, default: .integer(-4))
    Field(FieldName.rating, .number, default: .number(2.5))
    Field(FieldName.weight, .number, default: .number(1e+300))
    Field(FieldName.level, .number, default: .number(2.0))
    Field(FieldName.isOver, .boolean, default: .boolean(false))
    Field(FieldName.isGone, .boolean)
    Field(FieldName.playedAt, .date, default: .date(Timestamp(milliseconds: 1772389800251)))
    Field(FieldName.league, .pointer(to: "League"), default: .pointer(Pointer(className: "League", objectID: "l1")))
    Field(FieldName.owner, .pointer(to: "_User"))
    Field(FieldName.ticket, .bytes, default: .bytes([0, 1, 255]))
    Field(FieldName.details, .object, default: .object(["at": .date(Timestamp(milliseconds: 1772389800001)), "deep": .object(["list": .array([.integer(1), .string("a"), .null, .boolean(true), .number(0.5)])]), "half": .integer(2)]))
    Field(FieldName.empty, .object, default: .object([:]))
    Field(FieldName.tags, .array, default: .array([.string("home"), .integer(1), .object(["a": .array([]), "b": .null])]))
    Field(FieldName.place, .geoPoint, default: .geoPoint(GeoPoint(latitude: 52.5, longitude: -13.25)))
    Field(FieldName.area, .polygon, default: .polygon([GeoPoint(latitude: 0.0, longitude: 0.0), GeoPoint(latitude: 0.0, longitude: 1.5), GeoPoint(latitude: 1.0, longitude: 1.0), GeoPoint(latitude: 0.0, longitude: 0.0)]))
    Field(FieldName.poster, .file, default: .file(File(name: "a.png", url: "https://example.com/a.png")))
    Field(FieldName.season, .integer)
    Field(FieldName.rules, .text, merge: .lines)
    Field(FieldName.players, .array, column: "playerList", default: .array([]), merge: .set)
    Field(FieldName.state, .text)
    Field(FieldName.fans, .relation(to: "_User"))
  }
  .deletions(.softDelete(field: "isGone"))
  .access(.creator([.everyone: .read, .role("Editors \"A\""): .write]))
  .filter(.all([.field("season", .greaterThanOrEqual, .integer(2026)), .any([.oneOf("state", [.string("open"), .string("over")]), .isNull("state")]), .not(.isNull("isOver")), .field("createdAt", .greaterThanOrEqual, .date(Timestamp(milliseconds: 1767225600000))), .field("owner", .equal, .pointer(Pointer(className: "_User", objectID: "u1")))]))
  .indexes(Index("league", "title"), Index("updatedAt"))
}

/// A row of the class `League`.
struct League: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let name = "name"
  }

  static let className = "League"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<League>: String] {
    [
      \League.objectId: "objectId",
      \League.createdAt: "createdAt",
      \League.updatedAt: "updatedAt",
      \League.name: FieldName.name,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var name: String?

  /// A new row, which the store has once it is inserted.
  init(
    name: String? = nil
  ) {
    self.name = name
  }
}

extension League {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.name, .text)
  }
  .deletions(.fullScan)
  .access(.list([.everyone: .read, .user("u1"): .readWrite]))
  .indexes()
}

/// A row of the class `Log`.
struct Log: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let line = "line"
  }

  static let className = "Log"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<Log>: String] {
    [
      \Log.objectId: "objectId",
      \Log.createdAt: "createdAt",
      \Log.updatedAt: "updatedAt",
      \Log.line: FieldName.line,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var line: String?

  /// A new row, which the store has once it is inserted.
  init(
    line: String? = nil
  ) {
    self.line = line
  }
}

extension Log {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.line, .text)
  }
  .deletions(.never)
  .access(.creator())
}

/// A row of the class `Empty`.
struct Empty: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {

  }

  static let className = "Empty"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<Empty>: String] {
    [
      \Empty.objectId: "objectId",
      \Empty.createdAt: "createdAt",
      \Empty.updatedAt: "updatedAt",
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?

  /// A new row, which the store has once it is inserted.
  init() {}
}

extension Empty {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {

  }
}

/// A row of the class `Fans`.
///
/// The members of a relation are rows of another class, so these have no property: `all`.
struct Fans: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let all = "all"
  }

  static let className = "Fans"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<Fans>: String] {
    [
      \Fans.objectId: "objectId",
      \Fans.createdAt: "createdAt",
      \Fans.updatedAt: "updatedAt",
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?

  /// A new row, which the store has once it is inserted.
  init() {}
}

extension Fans {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.all, .relation(to: "_User"), column: "allFans")
  }
}

/// A row of the class `Names`.
struct Names: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let `Any` = "Any"
    static let ProtocolField = "Protocol"
    static let SelfField = "Self"
    static let TypeField = "Type"
    static let `actor` = "actor"
    static let `any` = "any"
    static let `as` = "as"
    static let `associatedtype` = "associatedtype"
    static let `async` = "async"
    static let `await` = "await"
    static let `borrow` = "borrow"
    static let `borrowing` = "borrowing"
    static let `break` = "break"
    static let `case` = "case"
    static let `catch` = "catch"
    static let `class` = "class"
    static let `consume` = "consume"
    static let `consuming` = "consuming"
    static let `continue` = "continue"
    static let `copy` = "copy"
    static let `default` = "default"
    static let `defer` = "defer"
    static let `deinit` = "deinit"
    static let `discard` = "discard"
    static let `do` = "do"
    static let `each` = "each"
    static let `else` = "else"
    static let `enum` = "enum"
    static let `extension` = "extension"
    static let `fallthrough` = "fallthrough"
    static let `false` = "false"
    static let `fileprivate` = "fileprivate"
    static let `for` = "for"
    static let `func` = "func"
    static let `guard` = "guard"
    static let `if` = "if"
    static let `import` = "import"
    static let `in` = "in"
    static let `indirect` = "indirect"
    static let initField = "init"
    static let `inout` = "inout"
    static let `internal` = "internal"
    static let `is` = "is"
    static let `isolated` = "isolated"
    static let `let` = "let"
    static let `macro` = "macro"
    static let `nil` = "nil"
    static let `nonisolated` = "nonisolated"
    static let `open` = "open"
    static let `operator` = "operator"
    static let `package` = "package"
    static let `precedencegroup` = "precedencegroup"
    static let `private` = "private"
    static let `protocol` = "protocol"
    static let `public` = "public"
    static let `repeat` = "repeat"
    static let `rethrows` = "rethrows"
    static let `return` = "return"
    static let selfFieldFieldField = "self"
    static let `sending` = "sending"
    static let `some` = "some"
    static let `static` = "static"
    static let `struct` = "struct"
    static let `subscript` = "subscript"
    static let `super` = "super"
    static let `switch` = "switch"
    static let `then` = "then"
    static let `throw` = "throw"
    static let `throws` = "throws"
    static let `true` = "true"
    static let `try` = "try"
    static let `typealias` = "typealias"
    static let `unsafe` = "unsafe"
    static let `var` = "var"
    static let `where` = "where"
    static let `while` = "while"
    static let `yield` = "yield"
    static let CodingKeysField = "CodingKeys"
    static let FieldNameField = "FieldName"
    static let BoolField = "Bool"
    static let CodingKeyField = "CodingKey"
    static let ConditionField = "Condition"
    static let DataField = "Data"
    static let DateField = "Date"
    static let DoubleField = "Double"
    static let EntityField = "Entity"
    static let EquatableField = "Equatable"
    static let FieldField = "Field"
    static let FileField = "File"
    static let GeoPointField = "GeoPoint"
    static let IntField = "Int"
    static let LocalIDField = "LocalID"
    static let PointerField = "Pointer"
    static let SchemaField = "Schema"
    static let StringField = "String"
    static let SyncEntityField = "SyncEntity"
    static let TimestampField = "Timestamp"
    static let UInt8Field = "UInt8"
    static let ValueField = "Value"
    static let get = "get"
    static let set = "set"
    static let willSet = "willSet"
    static let didSet = "didSet"
    static let lazy = "lazy"
    static let weak = "weak"
    static let unowned = "unowned"
    static let mutating = "mutating"
    static let nonmutating = "nonmutating"
    static let dynamic = "dynamic"
    static let final = "final"
    static let optional = "optional"
    static let required = "required"
    static let convenience = "convenience"
    static let override = "override"
    static let prefix = "prefix"
    static let postfix = "postfix"
    static let infix = "infix"
    static let left = "left"
    static let right = "right"
    static let none = "none"
    static let assignment = "assignment"
    static let associativity = "associativity"
    static let higherThan = "higherThan"
    static let lowerThan = "lowerThan"
    static let precedence = "precedence"
    static let encode = "encode"
    static let decode = "decode"
    static let hash = "hash"
    static let hashValue = "hashValue"
    static let description = "description"
    static let debugDescription = "debugDescription"
    static let rawValue = "rawValue"
    static let stringValue = "stringValue"
    static let intValue = "intValue"
    static let keys = "keys"
    static let entity = "entity"
    static let app = "app"
    static let schema = "schema"
    static let title = "title"
    static let Game = "Game"
    static let Sources = "Sources"
    static let fields = "fields"
    static let decoder = "decoder"
    static let encoder = "encoder"
    static let container = "container"
    static let values = "values"
    static let lhs = "lhs"
    static let rhs = "rhs"
    static let iD = "iD"
    static let Id = "Id"
    static let name = "name"
    static let table = "table"
    static let column = "column"
    static let columns = "columns"
    static let idField = "idField"
    static let selfField = "selfField"
    static let selfFieldField = "selfFieldField"
    static let Decoder = "Decoder"
    static let Encoder = "Encoder"
    static let Optional = "Optional"
    static let Array = "Array"
    static let Dictionary = "Dictionary"
    static let KeyedDecodingContainer = "KeyedDecodingContainer"
    static let AnyObject = "AnyObject"
    static let Never = "Never"
    static let Void = "Void"
    static let localId = "localId"
    static let rowid = "rowid"
    static let oid = "oid"
    static let select = "select"
    static let order = "order"
    static let group = "group"
    static let index = "index"
    static let Some = "Some"
    static let x = "x"
    static let x1 = "x1"
    static let x_1 = "x_1"
  }

  static let className = "Names"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<Names>: String] {
    [
      \Names.objectId: "objectId",
      \Names.createdAt: "createdAt",
      \Names.updatedAt: "updatedAt",
      \Names.`Any`: FieldName.`Any`,
      \Names.ProtocolField: FieldName.ProtocolField,
      \Names.SelfField: FieldName.SelfField,
      \Names.TypeField: FieldName.TypeField,
      \Names.`actor`: FieldName.`actor`,
      \Names.`any`: FieldName.`any`,
      \Names.`as`: FieldName.`as`,
      \Names.`associatedtype`: FieldName.`associatedtype`,
      \Names.`async`: FieldName.`async`,
      \Names.`await`: FieldName.`await`,
      \Names.`borrow`: FieldName.`borrow`,
      \Names.`borrowing`: FieldName.`borrowing`,
      \Names.`break`: FieldName.`break`,
      \Names.`case`: FieldName.`case`,
      \Names.`catch`: FieldName.`catch`,
      \Names.`class`: FieldName.`class`,
      \Names.`consume`: FieldName.`consume`,
      \Names.`consuming`: FieldName.`consuming`,
      \Names.`continue`: FieldName.`continue`,
      \Names.`copy`: FieldName.`copy`,
      \Names.`default`: FieldName.`default`,
      \Names.`defer`: FieldName.`defer`,
      \Names.`deinit`: FieldName.`deinit`,
      \Names.`discard`: FieldName.`discard`,
      \Names.`do`: FieldName.`do`,
      \Names.`each`: FieldName.`each`,
      \Names.`else`: FieldName.`else`,
      \Names.`enum`: FieldName.`enum`,
      \Names.`extension`: FieldName.`extension`,
      \Names.`fallthrough`: FieldName.`fallthrough`,
      \Names.`false`: FieldName.`false`,
      \Names.`fileprivate`: FieldName.`fileprivate`,
      \Names.`for`: FieldName.`for`,
      \Names.`func`: FieldName.`func`,
      \Names.`guard`: FieldName.`guard`,
      \Names.`if`: FieldName.`if`,
      \Names.`import`: FieldName.`import`,
      \Names.`in`: FieldName.`in`,
      \Names.`indirect`: FieldName.`indirect`,
      \Names.initField: FieldName.initField,
      \Names.`inout`: FieldName.`inout`,
      \Names.`internal`: FieldName.`internal`,
      \Names.`is`: FieldName.`is`,
      \Names.`isolated`: FieldName.`isolated`,
      \Names.`let`: FieldName.`let`,
      \Names.`macro`: FieldName.`macro`,
      \Names.`nil`: FieldName.`nil`,
      \Names.`nonisolated`: FieldName.`nonisolated`,
      \Names.`open`: FieldName.`open`,
      \Names.`operator`: FieldName.`operator`,
      \Names.`package`: FieldName.`package`,
      \Names.`precedencegroup`: FieldName.`precedencegroup`,
      \Names.`private`: FieldName.`private`,
      \Names.`protocol`: FieldName.`protocol`,
      \Names.`public`: FieldName.`public`,
      \Names.`repeat`: FieldName.`repeat`,
      \Names.`rethrows`: FieldName.`rethrows`,
      \Names.`return`: FieldName.`return`,
      \Names.selfFieldFieldField: FieldName.selfFieldFieldField,
      \Names.`sending`: FieldName.`sending`,
      \Names.`some`: FieldName.`some`,
      \Names.`static`: FieldName.`static`,
      \Names.`struct`: FieldName.`struct`,
      \Names.`subscript`: FieldName.`subscript`,
      \Names.`super`: FieldName.`super`,
      \Names.`switch`: FieldName.`switch`,
      \Names.`then`: FieldName.`then`,
      \Names.`throw`: FieldName.`throw`,
      \Names.`throws`: FieldName.`throws`,
      \Names.`true`: FieldName.`true`,
      \Names.`try`: FieldName.`try`,
      \Names.`typealias`: FieldName.`typealias`,
      \Names.`unsafe`: FieldName.`unsafe`,
      \Names.`var`: FieldName.`var`,
      \Names.`where`: FieldName.`where`,
      \Names.`while`: FieldName.`while`,
      \Names.`yield`: FieldName.`yield`,
      \Names.CodingKeysField: FieldName.CodingKeysField,
      \Names.FieldNameField: FieldName.FieldNameField,
      \Names.BoolField: FieldName.BoolField,
      \Names.CodingKeyField: FieldName.CodingKeyField,
      \Names.ConditionField: FieldName.ConditionField,
      \Names.DataField: FieldName.DataField,
      \Names.DateField: FieldName.DateField,
      \Names.DoubleField: FieldName.DoubleField,
      \Names.EntityField: FieldName.EntityField,
      \Names.EquatableField: FieldName.EquatableField,
      \Names.FieldField: FieldName.FieldField,
      \Names.FileField: FieldName.FileField,
      \Names.GeoPointField: FieldName.GeoPointField,
      \Names.IntField: FieldName.IntField,
      \Names.LocalIDField: FieldName.LocalIDField,
      \Names.PointerField: FieldName.PointerField,
      \Names.SchemaField: FieldName.SchemaField,
      \Names.StringField: FieldName.StringField,
      \Names.SyncEntityField: FieldName.SyncEntityField,
      \Names.TimestampField: FieldName.TimestampField,
      \Names.UInt8Field: FieldName.UInt8Field,
      \Names.ValueField: FieldName.ValueField,
      \Names.get: FieldName.get,
      \Names.set: FieldName.set,
      \Names.willSet: FieldName.willSet,
      \Names.didSet: FieldName.didSet,
      \Names.lazy: FieldName.lazy,
      \Names.weak: FieldName.weak,
      \Names.unowned: FieldName.unowned,
      \Names.mutating: FieldName.mutating,
      \Names.nonmutating: FieldName.nonmutating,
      \Names.dynamic: FieldName.dynamic,
      \Names.final: FieldName.final,
      \Names.optional: FieldName.optional,
      \Names.required: FieldName.required,
      \Names.convenience: FieldName.convenience,
      \Names.override: FieldName.override,
      \Names.prefix: FieldName.prefix,
      \Names.postfix: FieldName.postfix,
      \Names.infix: FieldName.infix,
      \Names.left: FieldName.left,
      \Names.right: FieldName.right,
      \Names.none: FieldName.none,
      \Names.assignment: FieldName.assignment,
      \Names.associativity: FieldName.associativity,
      \Names.higherThan: FieldName.higherThan,
      \Names.lowerThan: FieldName.lowerThan,
      \Names.precedence: FieldName.precedence,
      \Names.encode: FieldName.encode,
      \Names.decode: FieldName.decode,
      \Names.hash: FieldName.hash,
      \Names.hashValue: FieldName.hashValue,
      \Names.description: FieldName.description,
      \Names.debugDescription: FieldName.debugDescription,
      \Names.rawValue: FieldName.rawValue,
      \Names.stringValue: FieldName.stringValue,
      \Names.intValue: FieldName.intValue,
      \Names.keys: FieldName.keys,
      \Names.entity: FieldName.entity,
      \Names.app: FieldName.app,
      \Names.schema: FieldName.schema,
      \Names.title: FieldName.title,
      \Names.Game: FieldName.Game,
      \Names.Sources: FieldName.Sources,
      \Names.fields: FieldName.fields,
      \Names.decoder: FieldName.decoder,
      \Names.encoder: FieldName.encoder,
      \Names.container: FieldName.container,
      \Names.values: FieldName.values,
      \Names.lhs: FieldName.lhs,
      \Names.rhs: FieldName.rhs,
      \Names.iD: FieldName.iD,
      \Names.Id: FieldName.Id,
      \Names.name: FieldName.name,
      \Names.table: FieldName.table,
      \Names.column: FieldName.column,
      \Names.columns: FieldName.columns,
      \Names.idField: FieldName.idField,
      \Names.selfField: FieldName.selfField,
      \Names.selfFieldField: FieldName.selfFieldField,
      \Names.Decoder: FieldName.Decoder,
      \Names.Encoder: FieldName.Encoder,
      \Names.Optional: FieldName.Optional,
      \Names.Array: FieldName.Array,
      \Names.Dictionary: FieldName.Dictionary,
      \Names.KeyedDecodingContainer: FieldName.KeyedDecodingContainer,
      \Names.AnyObject: FieldName.AnyObject,
      \Names.Never: FieldName.Never,
      \Names.Void: FieldName.Void,
      \Names.localId: FieldName.localId,
      \Names.rowid: FieldName.rowid,
      \Names.oid: FieldName.oid,
      \Names.select: FieldName.select,
      \Names.order: FieldName.order,
      \Names.group: FieldName.group,
      \Names.index: FieldName.index,
      \Names.Some: FieldName.Some,
      \Names.x: FieldName.x,
      \Names.x1: FieldName.x1,
      \Names.x_1: FieldName.x_1,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var `Any`: String?
  /// Date, to the millisecond.
  var ProtocolField: Date?
  /// Bytes.
  var SelfField: Data?
  /// Pointer to `Game`.
  var TypeField: Pointer?
  /// GeoPoint.
  var `actor`: GeoPoint?
  /// Boolean.
  var `any`: Bool?
  /// File, as its name and address.
  var `as`: File?
  /// Object.
  var `associatedtype`: [String: Value]?
  /// Array.
  var `async`: [Value]?
  /// Polygon, as a `Value.polygon`.
  var `await`: Value?
  /// Number.
  var `borrow`: Double?
  /// String.
  var `borrowing`: String?
  /// Date, to the millisecond.
  var `break`: Date?
  /// Bytes.
  var `case`: Data?
  /// Pointer to `Game`.
  var `catch`: Pointer?
  /// GeoPoint.
  var `class`: GeoPoint?
  /// Boolean.
  var `consume`: Bool?
  /// File, as its name and address.
  var `consuming`: File?
  /// Object.
  var `continue`: [String: Value]?
  /// Array.
  var `copy`: [Value]?
  /// Polygon, as a `Value.polygon`.
  var `default`: Value?
  /// Number.
  var `defer`: Double?
  /// String.
  var `deinit`: String?
  /// Date, to the millisecond.
  var `discard`: Date?
  /// Bytes.
  var `do`: Data?
  /// Pointer to `Game`.
  var `each`: Pointer?
  /// GeoPoint.
  var `else`: GeoPoint?
  /// Boolean.
  var `enum`: Bool?
  /// File, as its name and address.
  var `extension`: File?
  /// Object.
  var `fallthrough`: [String: Value]?
  /// Array.
  var `false`: [Value]?
  /// Polygon, as a `Value.polygon`.
  var `fileprivate`: Value?
  /// Number.
  var `for`: Double?
  /// String.
  var `func`: String?
  /// Date, to the millisecond.
  var `guard`: Date?
  /// Bytes.
  var `if`: Data?
  /// Pointer to `Game`.
  var `import`: Pointer?
  /// GeoPoint.
  var `in`: GeoPoint?
  /// Boolean.
  var `indirect`: Bool?
  /// File, as its name and address.
  var initField: File?
  /// Object.
  var `inout`: [String: Value]?
  /// Array.
  var `internal`: [Value]?
  /// Polygon, as a `Value.polygon`.
  var `is`: Value?
  /// Number.
  var `isolated`: Double?
  /// String.
  var `let`: String?
  /// Date, to the millisecond.
  var `macro`: Date?
  /// Bytes.
  var `nil`: Data?
  /// Pointer to `Game`.
  var `nonisolated`: Pointer?
  /// GeoPoint.
  var `open`: GeoPoint?
  /// Boolean.
  var `operator`: Bool?
  /// File, as its name and address.
  var `package`: File?
  /// Object.
  var `precedencegroup`: [String: Value]?
  /// Array.
  var `private`: [Value]?
  /// Polygon, as a `Value.polygon`.
  var `protocol`: Value?
  /// Number.
  var `public`: Double?
  /// String.
  var `repeat`: String?
  /// Date, to the millisecond.
  var `rethrows`: Date?
  /// Bytes.
  var `return`: Data?
  /// Pointer to `Game`.
  var selfFieldFieldField: Pointer?
  /// GeoPoint.
  var `sending`: GeoPoint?
  /// Boolean.
  var `some`: Bool?
  /// File, as its name and address.
  var `static`: File?
  /// Object.
  var `struct`: [String: Value]?
  /// Array.
  var `subscript`: [Value]?
  /// Polygon, as a `Value.polygon`.
  var `super`: Value?
  /// Number.
  var `switch`: Double?
  /// String.
  var `then`: String?
  /// Date, to the millisecond.
  var `throw`: Date?
  /// Bytes.
  var `throws`: Data?
  /// Pointer to `Game`.
  var `true`: Pointer?
  /// GeoPoint.
  var `try`: GeoPoint?
  /// Boolean.
  var `typealias`: Bool?
  /// File, as its name and address.
  var `unsafe`: File?
  /// Object.
  var `var`: [String: Value]?
  /// Array.
  var `where`: [Value]?
  /// Polygon, as a `Value.polygon`.
  var `while`: Value?
  /// Number.
  var `yield`: Double?
  /// String.
  var CodingKeysField: String?
  /// Date, to the millisecond.
  var FieldNameField: Date?
  /// Bytes.
  var BoolField: Data?
  /// Pointer to `Game`.
  var CodingKeyField: Pointer?
  /// GeoPoint.
  var ConditionField: GeoPoint?
  /// Boolean.
  var DataField: Bool?
  /// File, as its name and address.
  var DateField: File?
  /// Object.
  var DoubleField: [String: Value]?
  /// Array.
  var EntityField: [Value]?
  /// Polygon, as a `Value.polygon`.
  var EquatableField: Value?
  /// Number.
  var FieldField: Double?
  /// String.
  var FileField: String?
  /// Date, to the millisecond.
  var GeoPointField: Date?
  /// Bytes.
  var IntField: Data?
  /// Pointer to `Game`.
  var LocalIDField: Pointer?
  /// GeoPoint.
  var PointerField: GeoPoint?
  /// Boolean.
  var SchemaField: Bool?
  /// File, as its name and address.
  var StringField: File?
  /// Object.
  var SyncEntityField: [String: Value]?
  /// Array.
  var TimestampField: [Value]?
  /// Polygon, as a `Value.polygon`.
  var UInt8Field: Value?
  /// Number.
  var ValueField: Double?
  /// String.
  var get: String?
  /// Date, to the millisecond.
  var set: Date?
  /// Bytes.
  var willSet: Data?
  /// Pointer to `Game`.
  var didSet: Pointer?
  /// GeoPoint.
  var lazy: GeoPoint?
  /// Boolean.
  var weak: Bool?
  /// File, as its name and address.
  var unowned: File?
  /// Object.
  var mutating: [String: Value]?
  /// Array.
  var nonmutating: [Value]?
  /// Polygon, as a `Value.polygon`.
  var dynamic: Value?
  /// Number.
  var final: Double?
  /// String.
  var optional: String?
  /// Date, to the millisecond.
  var required: Date?
  /// Bytes.
  var convenience: Data?
  /// Pointer to `Game`.
  var override: Pointer?
  /// GeoPoint.
  var prefix: GeoPoint?
  /// Boolean.
  var postfix: Bool?
  /// File, as its name and address.
  var infix: File?
  /// Object.
  var left: [String: Value]?
  /// Array.
  var right: [Value]?
  /// Polygon, as a `Value.polygon`.
  var none: Value?
  /// Number.
  var assignment: Double?
  /// String.
  var associativity: String?
  /// Date, to the millisecond.
  var higherThan: Date?
  /// Bytes.
  var lowerThan: Data?
  /// Pointer to `Game`.
  var precedence: Pointer?
  /// GeoPoint.
  var encode: GeoPoint?
  /// Boolean.
  var decode: Bool?
  /// File, as its name and address.
  var hash: File?
  /// Object.
  var hashValue: [String: Value]?
  /// Array.
  var description: [Value]?
  /// Polygon, as a `Value.polygon`.
  var debugDescription: Value?
  /// Number.
  var rawValue: Double?
  /// String.
  var stringValue: String?
  /// Date, to the millisecond.
  var intValue: Date?
  /// Bytes.
  var keys: Data?
  /// Pointer to `Game`.
  var entity: Pointer?
  /// GeoPoint.
  var app: GeoPoint?
  /// Boolean.
  var schema: Bool?
  /// File, as its name and address.
  var title: File?
  /// Object.
  var Game: [String: Value]?
  /// Array.
  var Sources: [Value]?
  /// Polygon, as a `Value.polygon`.
  var fields: Value?
  /// Number.
  var decoder: Double?
  /// String.
  var encoder: String?
  /// Date, to the millisecond.
  var container: Date?
  /// Bytes.
  var values: Data?
  /// Pointer to `Game`.
  var lhs: Pointer?
  /// GeoPoint.
  var rhs: GeoPoint?
  /// Boolean.
  var iD: Bool?
  /// File, as its name and address.
  var Id: File?
  /// Object.
  var name: [String: Value]?
  /// Array.
  var table: [Value]?
  /// Polygon, as a `Value.polygon`.
  var column: Value?
  /// Number.
  var columns: Double?
  /// String.
  var idField: String?
  /// Date, to the millisecond.
  var selfField: Date?
  /// Bytes.
  var selfFieldField: Data?
  /// Pointer to `Game`.
  var Decoder: Pointer?
  /// GeoPoint.
  var Encoder: GeoPoint?
  /// Boolean.
  var Optional: Bool?
  /// File, as its name and address.
  var Array: File?
  /// Object.
  var Dictionary: [String: Value]?
  /// Array.
  var KeyedDecodingContainer: [Value]?
  /// Polygon, as a `Value.polygon`.
  var AnyObject: Value?
  /// Number.
  var Never: Double?
  /// String.
  var Void: String?
  /// Date, to the millisecond.
  var localId: Date?
  /// Bytes.
  var rowid: Data?
  /// Pointer to `Game`.
  var oid: Pointer?
  /// GeoPoint.
  var select: GeoPoint?
  /// Boolean.
  var order: Bool?
  /// File, as its name and address.
  var group: File?
  /// Object.
  var index: [String: Value]?
  /// Array.
  var Some: [Value]?
  /// Polygon, as a `Value.polygon`.
  var x: Value?
  /// Number.
  var x1: Double?
  /// String.
  var x_1: String?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case `Any`
    case ProtocolField = "Protocol"
    case SelfField = "Self"
    case TypeField = "Type"
    case `actor`
    case `any`
    case `as`
    case `associatedtype`
    case `async`
    case `await`
    case `borrow`
    case `borrowing`
    case `break`
    case `case`
    case `catch`
    case `class`
    case `consume`
    case `consuming`
    case `continue`
    case `copy`
    case `default`
    case `defer`
    case `deinit`
    case `discard`
    case `do`
    case `each`
    case `else`
    case `enum`
    case `extension`
    case `fallthrough`
    case `false`
    case `fileprivate`
    case `for`
    case `func`
    case `guard`
    case `if`
    case `import`
    case `in`
    case `indirect`
    case initField = "init"
    case `inout`
    case `internal`
    case `is`
    case `isolated`
    case `let`
    case `macro`
    case `nil`
    case `nonisolated`
    case `open`
    case `operator`
    case `package`
    case `precedencegroup`
    case `private`
    case `protocol`
    case `public`
    case `repeat`
    case `rethrows`
    case `return`
    case selfFieldFieldField = "self"
    case `sending`
    case `some`
    case `static`
    case `struct`
    case `subscript`
    case `super`
    case `switch`
    case `then`
    case `throw`
    case `throws`
    case `true`
    case `try`
    case `typealias`
    case `unsafe`
    case `var`
    case `where`
    case `while`
    case `yield`
    case CodingKeysField = "CodingKeys"
    case FieldNameField = "FieldName"
    case BoolField = "Bool"
    case CodingKeyField = "CodingKey"
    case ConditionField = "Condition"
    case DataField = "Data"
    case DateField = "Date"
    case DoubleField = "Double"
    case EntityField = "Entity"
    case EquatableField = "Equatable"
    case FieldField = "Field"
    case FileField = "File"
    case GeoPointField = "GeoPoint"
    case IntField = "Int"
    case LocalIDField = "LocalID"
    case PointerField = "Pointer"
    case SchemaField = "Schema"
    case StringField = "String"
    case SyncEntityField = "SyncEntity"
    case TimestampField = "Timestamp"
    case UInt8Field = "UInt8"
    case ValueField = "Value"
    case get
    case set
    case willSet
    case didSet
    case lazy
    case weak
    case unowned
    case mutating
    case nonmutating
    case dynamic
    case final
    case optional
    case required
    case convenience
    case override
    case prefix
    case postfix
    case infix
    case left
    case right
    case none
    case assignment
    case associativity
    case higherThan
    case lowerThan
    case precedence
    case encode
    case decode
    case hash
    case hashValue
    case description
    case debugDescription
    case rawValue
    case stringValue
    case intValue
    case keys
    case entity
    case app
    case schema
    case title
    case Game
    case Sources
    case fields
    case decoder
    case encoder
    case container
    case values
    case lhs
    case rhs
    case iD
    case Id
    case name
    case table
    case column
    case columns
    case idField
    case selfField
    case selfFieldField
    case Decoder
    case Encoder
    case Optional
    case Array
    case Dictionary
    case KeyedDecodingContainer
    case AnyObject
    case Never
    case Void
    case localId
    case rowid
    case oid
    case select
    case order
    case group
    case index
    case Some
    case x
    case x1
    case x_1
  }

  /// A new row, which the store has once it is inserted.
  init(
    `Any`: String? = nil,
    ProtocolField: Date? = nil,
    SelfField: Data? = nil,
    TypeField: Pointer? = nil,
    `actor`: GeoPoint? = nil,
    `any`: Bool? = nil,
    `as`: File? = nil,
    `associatedtype`: [String: Value]? = nil,
    `async`: [Value]? = nil,
    `await`: Value? = nil,
    `borrow`: Double? = nil,
    `borrowing`: String? = nil,
    `break`: Date? = nil,
    `case`: Data? = nil,
    `catch`: Pointer? = nil,
    `class`: GeoPoint? = nil,
    `consume`: Bool? = nil,
    `consuming`: File? = nil,
    `continue`: [String: Value]? = nil,
    `copy`: [Value]? = nil,
    `default`: Value? = nil,
    `defer`: Double? = nil,
    `deinit`: String? = nil,
    `discard`: Date? = nil,
    `do`: Data? = nil,
    `each`: Pointer? = nil,
    `else`: GeoPoint? = nil,
    `enum`: Bool? = nil,
    `extension`: File? = nil,
    `fallthrough`: [String: Value]? = nil,
    `false`: [Value]? = nil,
    `fileprivate`: Value? = nil,
    `for`: Double? = nil,
    `func`: String? = nil,
    `guard`: Date? = nil,
    `if`: Data? = nil,
    `import`: Pointer? = nil,
    `in`: GeoPoint? = nil,
    `indirect`: Bool? = nil,
    initField: File? = nil,
    `inout`: [String: Value]? = nil,
    `internal`: [Value]? = nil,
    `is`: Value? = nil,
    `isolated`: Double? = nil,
    `let`: String? = nil,
    `macro`: Date? = nil,
    `nil`: Data? = nil,
    `nonisolated`: Pointer? = nil,
    `open`: GeoPoint? = nil,
    `operator`: Bool? = nil,
    `package`: File? = nil,
    `precedencegroup`: [String: Value]? = nil,
    `private`: [Value]? = nil,
    `protocol`: Value? = nil,
    `public`: Double? = nil,
    `repeat`: String? = nil,
    `rethrows`: Date? = nil,
    `return`: Data? = nil,
    selfFieldFieldField: Pointer? = nil,
    `sending`: GeoPoint? = nil,
    `some`: Bool? = nil,
    `static`: File? = nil,
    `struct`: [String: Value]? = nil,
    `subscript`: [Value]? = nil,
    `super`: Value? = nil,
    `switch`: Double? = nil,
    `then`: String? = nil,
    `throw`: Date? = nil,
    `throws`: Data? = nil,
    `true`: Pointer? = nil,
    `try`: GeoPoint? = nil,
    `typealias`: Bool? = nil,
    `unsafe`: File? = nil,
    `var`: [String: Value]? = nil,
    `where`: [Value]? = nil,
    `while`: Value? = nil,
    `yield`: Double? = nil,
    CodingKeysField: String? = nil,
    FieldNameField: Date? = nil,
    BoolField: Data? = nil,
    CodingKeyField: Pointer? = nil,
    ConditionField: GeoPoint? = nil,
    DataField: Bool? = nil,
    DateField: File? = nil,
    DoubleField: [String: Value]? = nil,
    EntityField: [Value]? = nil,
    EquatableField: Value? = nil,
    FieldField: Double? = nil,
    FileField: String? = nil,
    GeoPointField: Date? = nil,
    IntField: Data? = nil,
    LocalIDField: Pointer? = nil,
    PointerField: GeoPoint? = nil,
    SchemaField: Bool? = nil,
    StringField: File? = nil,
    SyncEntityField: [String: Value]? = nil,
    TimestampField: [Value]? = nil,
    UInt8Field: Value? = nil,
    ValueField: Double? = nil,
    get: String? = nil,
    set: Date? = nil,
    willSet: Data? = nil,
    didSet: Pointer? = nil,
    lazy: GeoPoint? = nil,
    weak: Bool? = nil,
    unowned: File? = nil,
    mutating: [String: Value]? = nil,
    nonmutating: [Value]? = nil,
    dynamic: Value? = nil,
    final: Double? = nil,
    optional: String? = nil,
    required: Date? = nil,
    convenience: Data? = nil,
    override: Pointer? = nil,
    prefix: GeoPoint? = nil,
    postfix: Bool? = nil,
    infix: File? = nil,
    left: [String: Value]? = nil,
    right: [Value]? = nil,
    none: Value? = nil,
    assignment: Double? = nil,
    associativity: String? = nil,
    higherThan: Date? = nil,
    lowerThan: Data? = nil,
    precedence: Pointer? = nil,
    encode: GeoPoint? = nil,
    decode: Bool? = nil,
    hash: File? = nil,
    hashValue: [String: Value]? = nil,
    description: [Value]? = nil,
    debugDescription: Value? = nil,
    rawValue: Double? = nil,
    stringValue: String? = nil,
    intValue: Date? = nil,
    keys: Data? = nil,
    entity: Pointer? = nil,
    app: GeoPoint? = nil,
    schema: Bool? = nil,
    title: File? = nil,
    Game: [String: Value]? = nil,
    Sources: [Value]? = nil,
    fields: Value? = nil,
    decoder: Double? = nil,
    encoder: String? = nil,
    container: Date? = nil,
    values: Data? = nil,
    lhs: Pointer? = nil,
    rhs: GeoPoint? = nil,
    iD: Bool? = nil,
    Id: File? = nil,
    name: [String: Value]? = nil,
    table: [Value]? = nil,
    column: Value? = nil,
    columns: Double? = nil,
    idField: String? = nil,
    selfField: Date? = nil,
    selfFieldField: Data? = nil,
    Decoder: Pointer? = nil,
    Encoder: GeoPoint? = nil,
    Optional: Bool? = nil,
    Array: File? = nil,
    Dictionary: [String: Value]? = nil,
    KeyedDecodingContainer: [Value]? = nil,
    AnyObject: Value? = nil,
    Never: Double? = nil,
    Void: String? = nil,
    localId: Date? = nil,
    rowid: Data? = nil,
    oid: Pointer? = nil,
    select: GeoPoint? = nil,
    order: Bool? = nil,
    group: File? = nil,
    index: [String: Value]? = nil,
    Some: [Value]? = nil,
    x: Value? = nil,
    x1: Double? = nil,
    x_1: String? = nil
  ) {
    self.`Any` = `Any`
    self.ProtocolField = ProtocolField
    self.SelfField = SelfField
    self.TypeField = TypeField
    self.`actor` = `actor`
    self.`any` = `any`
    self.`as` = `as`
    self.`associatedtype` = `associatedtype`
    self.`async` = `async`
    self.`await` = `await`
    self.`borrow` = `borrow`
    self.`borrowing` = `borrowing`
    self.`break` = `break`
    self.`case` = `case`
    self.`catch` = `catch`
    self.`class` = `class`
    self.`consume` = `consume`
    self.`consuming` = `consuming`
    self.`continue` = `continue`
    self.`copy` = `copy`
    self.`default` = `default`
    self.`defer` = `defer`
    self.`deinit` = `deinit`
    self.`discard` = `discard`
    self.`do` = `do`
    self.`each` = `each`
    self.`else` = `else`
    self.`enum` = `enum`
    self.`extension` = `extension`
    self.`fallthrough` = `fallthrough`
    self.`false` = `false`
    self.`fileprivate` = `fileprivate`
    self.`for` = `for`
    self.`func` = `func`
    self.`guard` = `guard`
    self.`if` = `if`
    self.`import` = `import`
    self.`in` = `in`
    self.`indirect` = `indirect`
    self.initField = initField
    self.`inout` = `inout`
    self.`internal` = `internal`
    self.`is` = `is`
    self.`isolated` = `isolated`
    self.`let` = `let`
    self.`macro` = `macro`
    self.`nil` = `nil`
    self.`nonisolated` = `nonisolated`
    self.`open` = `open`
    self.`operator` = `operator`
    self.`package` = `package`
    self.`precedencegroup` = `precedencegroup`
    self.`private` = `private`
    self.`protocol` = `protocol`
    self.`public` = `public`
    self.`repeat` = `repeat`
    self.`rethrows` = `rethrows`
    self.`return` = `return`
    self.selfFieldFieldField = selfFieldFieldField
    self.`sending` = `sending`
    self.`some` = `some`
    self.`static` = `static`
    self.`struct` = `struct`
    self.`subscript` = `subscript`
    self.`super` = `super`
    self.`switch` = `switch`
    self.`then` = `then`
    self.`throw` = `throw`
    self.`throws` = `throws`
    self.`true` = `true`
    self.`try` = `try`
    self.`typealias` = `typealias`
    self.`unsafe` = `unsafe`
    self.`var` = `var`
    self.`where` = `where`
    self.`while` = `while`
    self.`yield` = `yield`
    self.CodingKeysField = CodingKeysField
    self.FieldNameField = FieldNameField
    self.BoolField = BoolField
    self.CodingKeyField = CodingKeyField
    self.ConditionField = ConditionField
    self.DataField = DataField
    self.DateField = DateField
    self.DoubleField = DoubleField
    self.EntityField = EntityField
    self.EquatableField = EquatableField
    self.FieldField = FieldField
    self.FileField = FileField
    self.GeoPointField = GeoPointField
    self.IntField = IntField
    self.LocalIDField = LocalIDField
    self.PointerField = PointerField
    self.SchemaField = SchemaField
    self.StringField = StringField
    self.SyncEntityField = SyncEntityField
    self.TimestampField = TimestampField
    self.UInt8Field = UInt8Field
    self.ValueField = ValueField
    self.get = get
    self.set = set
    self.willSet = willSet
    self.didSet = didSet
    self.lazy = lazy
    self.weak = weak
    self.unowned = unowned
    self.mutating = mutating
    self.nonmutating = nonmutating
    self.dynamic = dynamic
    self.final = final
    self.optional = optional
    self.required = required
    self.convenience = convenience
    self.override = override
    self.prefix = prefix
    self.postfix = postfix
    self.infix = infix
    self.left = left
    self.right = right
    self.none = none
    self.assignment = assignment
    self.associativity = associativity
    self.higherThan = higherThan
    self.lowerThan = lowerThan
    self.precedence = precedence
    self.encode = encode
    self.decode = decode
    self.hash = hash
    self.hashValue = hashValue
    self.description = description
    self.debugDescription = debugDescription
    self.rawValue = rawValue
    self.stringValue = stringValue
    self.intValue = intValue
    self.keys = keys
    self.entity = entity
    self.app = app
    self.schema = schema
    self.title = title
    self.Game = Game
    self.Sources = Sources
    self.fields = fields
    self.decoder = decoder
    self.encoder = encoder
    self.container = container
    self.values = values
    self.lhs = lhs
    self.rhs = rhs
    self.iD = iD
    self.Id = Id
    self.name = name
    self.table = table
    self.column = column
    self.columns = columns
    self.idField = idField
    self.selfField = selfField
    self.selfFieldField = selfFieldField
    self.Decoder = Decoder
    self.Encoder = Encoder
    self.Optional = Optional
    self.Array = Array
    self.Dictionary = Dictionary
    self.KeyedDecodingContainer = KeyedDecodingContainer
    self.AnyObject = AnyObject
    self.Never = Never
    self.Void = Void
    self.localId = localId
    self.rowid = rowid
    self.oid = oid
    self.select = select
    self.order = order
    self.group = group
    self.index = index
    self.Some = Some
    self.x = x
    self.x1 = x1
    self.x_1 = x_1
  }
}

extension Names {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.`Any`, .text)
    Field(FieldName.ProtocolField, .date)
    Field(FieldName.SelfField, .bytes)
    Field(FieldName.TypeField, .pointer(to: "Game"))
    Field(FieldName.`actor`, .geoPoint)
    Field(FieldName.`any`, .boolean, column: "column5")
    Field(FieldName.`as`, .file, column: "column6")
    Field(FieldName.`associatedtype`, .object)
    Field(FieldName.`async`, .array)
    Field(FieldName.`await`, .polygon)
    Field(FieldName.`borrow`, .number)
    Field(FieldName.`borrowing`, .text)
    Field(FieldName.`break`, .date)
    Field(FieldName.`case`, .bytes, column: "column13")
    Field(FieldName.`catch`, .pointer(to: "Game"))
    Field(FieldName.`class`, .geoPoint)
    Field(FieldName.`consume`, .boolean)
    Field(FieldName.`consuming`, .file)
    Field(FieldName.`continue`, .object)
    Field(FieldName.`copy`, .array)
    Field(FieldName.`default`, .polygon, column: "column20")
    Field(FieldName.`defer`, .number)
    Field(FieldName.`deinit`, .text)
    Field(FieldName.`discard`, .date)
    Field(FieldName.`do`, .bytes)
    Field(FieldName.`each`, .pointer(to: "Game"))
    Field(FieldName.`else`, .geoPoint, column: "column26")
    Field(FieldName.`enum`, .boolean)
    Field(FieldName.`extension`, .file)
    Field(FieldName.`fallthrough`, .object)
    Field(FieldName.`false`, .array)
    Field(FieldName.`fileprivate`, .polygon)
    Field(FieldName.`for`, .number)
    Field(FieldName.`func`, .text)
    Field(FieldName.`guard`, .date)
    Field(FieldName.`if`, .bytes, column: "column35")
    Field(FieldName.`import`, .pointer(to: "Game"))
    Field(FieldName.`in`, .geoPoint, column: "column37")
    Field(FieldName.`indirect`, .boolean)
    Field(FieldName.initField, .file)
    Field(FieldName.`inout`, .object)
    Field(FieldName.`internal`, .array)
    Field(FieldName.`is`, .polygon, column: "column42")
    Field(FieldName.`isolated`, .number)
    Field(FieldName.`let`, .text)
    Field(FieldName.`macro`, .date)
    Field(FieldName.`nil`, .bytes)
    Field(FieldName.`nonisolated`, .pointer(to: "Game"))
    Field(FieldName.`open`, .geoPoint)
    Field(FieldName.`operator`, .boolean)
    Field(FieldName.`package`, .file)
    Field(FieldName.`precedencegroup`, .object)
    Field(FieldName.`private`, .array)
    Field(FieldName.`protocol`, .polygon, column: "column53")
    Field(FieldName.`public`, .number)
    Field(FieldName.`repeat`, .text)
    Field(FieldName.`rethrows`, .date)
    Field(FieldName.`return`, .bytes)
    Field(FieldName.selfFieldFieldField, .pointer(to: "Game"), column: "column58")
    Field(FieldName.`sending`, .geoPoint)
    Field(FieldName.`some`, .boolean)
    Field(FieldName.`static`, .file)
    Field(FieldName.`struct`, .object)
    Field(FieldName.`subscript`, .array)
    Field(FieldName.`super`, .polygon)
    Field(FieldName.`switch`, .number)
    Field(FieldName.`then`, .text, column: "column66")
    Field(FieldName.`throw`, .date)
    Field(FieldName.`throws`, .bytes)
    Field(FieldName.`true`, .pointer(to: "Game"))
    Field(FieldName.`try`, .geoPoint)
    Field(FieldName.`typealias`, .boolean)
    Field(FieldName.`unsafe`, .file)
    Field(FieldName.`var`, .object)
    Field(FieldName.`where`, .array, column: "column74")
    Field(FieldName.`while`, .polygon)
    Field(FieldName.`yield`, .number)
    Field(FieldName.CodingKeysField, .text)
    Field(FieldName.FieldNameField, .date)
    Field(FieldName.BoolField, .bytes)
    Field(FieldName.CodingKeyField, .pointer(to: "Game"))
    Field(FieldName.ConditionField, .geoPoint)
    Field(FieldName.DataField, .boolean)
    Field(FieldName.DateField, .file)
    Field(FieldName.DoubleField, .object)
    Field(FieldName.EntityField, .array)
    Field(FieldName.EquatableField, .polygon)
    Field(FieldName.FieldField, .number)
    Field(FieldName.FileField, .text)
    Field(FieldName.GeoPointField, .date)
    Field(FieldName.IntField, .bytes)
    Field(FieldName.LocalIDField, .pointer(to: "Game"), column: "column91")
    Field(FieldName.PointerField, .geoPoint)
    Field(FieldName.SchemaField, .boolean)
    Field(FieldName.StringField, .file)
    Field(FieldName.SyncEntityField, .object)
    Field(FieldName.TimestampField, .array)
    Field(FieldName.UInt8Field, .polygon)
    Field(FieldName.ValueField, .number)
    Field(FieldName.get, .text)
    Field(FieldName.set, .date, column: "column100")
    Field(FieldName.willSet, .bytes)
    Field(FieldName.didSet, .pointer(to: "Game"))
    Field(FieldName.lazy, .geoPoint)
    Field(FieldName.weak, .boolean)
    Field(FieldName.unowned, .file)
    Field(FieldName.mutating, .object)
    Field(FieldName.nonmutating, .array)
    Field(FieldName.dynamic, .polygon)
    Field(FieldName.final, .number)
    Field(FieldName.optional, .text)
    Field(FieldName.required, .date)
    Field(FieldName.convenience, .bytes)
    Field(FieldName.override, .pointer(to: "Game"))
    Field(FieldName.prefix, .geoPoint)
    Field(FieldName.postfix, .boolean)
    Field(FieldName.infix, .file)
    Field(FieldName.left, .object)
    Field(FieldName.right, .array)
    Field(FieldName.none, .polygon)
    Field(FieldName.assignment, .number)
    Field(FieldName.associativity, .text)
    Field(FieldName.higherThan, .date)
    Field(FieldName.lowerThan, .bytes)
    Field(FieldName.precedence, .pointer(to: "Game"))
    Field(FieldName.encode, .geoPoint)
    Field(FieldName.decode, .boolean)
    Field(FieldName.hash, .file)
    Field(FieldName.hashValue, .object)
    Field(FieldName.description, .array)
    Field(FieldName.debugDescription, .polygon)
    Field(FieldName.rawValue, .number)
    Field(FieldName.stringValue, .text)
    Field(FieldName.intValue, .date)
    Field(FieldName.keys, .bytes)
    Field(FieldName.entity, .pointer(to: "Game"), column: "column135")
    Field(FieldName.app, .geoPoint)
    Field(FieldName.schema, .boolean, column: "column137")
    Field(FieldName.title, .file)
    Field(FieldName.Game, .object)
    Field(FieldName.Sources, .array)
    Field(FieldName.fields, .polygon)
    Field(FieldName.decoder, .number)
    Field(FieldName.encoder, .text)
    Field(FieldName.container, .date)
    Field(FieldName.values, .bytes, column: "column145")
    Field(FieldName.lhs, .pointer(to: "Game"))
    Field(FieldName.rhs, .geoPoint)
    Field(FieldName.iD, .boolean)
    Field(FieldName.Id, .file, column: "column149")
    Field(FieldName.name, .object)
    Field(FieldName.table, .array, column: "column151")
    Field(FieldName.column, .polygon)
    Field(FieldName.columns, .number)
    Field(FieldName.idField, .text)
    Field(FieldName.selfField, .date)
    Field(FieldName.selfFieldField, .bytes)
    Field(FieldName.Decoder, .pointer(to: "Game"), column: "column157")
    Field(FieldName.Encoder, .geoPoint, column: "column158")
    Field(FieldName.Optional, .boolean, column: "column159")
    Field(FieldName.Array, .file)
    Field(FieldName.Dictionary, .object)
    Field(FieldName.KeyedDecodingContainer, .array)
    Field(FieldName.AnyObject, .polygon)
    Field(FieldName.Never, .number)
    Field(FieldName.Void, .text)
    Field(FieldName.localId, .date, column: "column166")
    Field(FieldName.rowid, .bytes, column: "column167")
    Field(FieldName.oid, .pointer(to: "Game"), column: "column168")
    Field(FieldName.select, .geoPoint, column: "column169")
    Field(FieldName.order, .boolean, column: "column170")
    Field(FieldName.group, .file, column: "column171")
    Field(FieldName.index, .object, column: "column172")
    Field(FieldName.Some, .array, column: "column173")
    Field(FieldName.x, .polygon)
    Field(FieldName.x1, .number)
    Field(FieldName.x_1, .text)
  }
}

/// A row of the class `_User`.
struct UserRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "_User"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<UserRow>: String] {
    [
      \UserRow.objectId: "objectId",
      \UserRow.createdAt: "createdAt",
      \UserRow.updatedAt: "updatedAt",
      \UserRow.value: FieldName.value,
      \UserRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension UserRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `_Role`.
struct Role: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "_Role"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<Role>: String] {
    [
      \Role.objectId: "objectId",
      \Role.createdAt: "createdAt",
      \Role.updatedAt: "updatedAt",
      \Role.value: FieldName.value,
      \Role.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension Role {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `_Installation`.
struct Installation: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "_Installation"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<Installation>: String] {
    [
      \Installation.objectId: "objectId",
      \Installation.createdAt: "createdAt",
      \Installation.updatedAt: "updatedAt",
      \Installation.value: FieldName.value,
      \Installation.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension Installation {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `User`.
struct User: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "User"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<User>: String] {
    [
      \User.objectId: "objectId",
      \User.createdAt: "createdAt",
      \User.updatedAt: "updatedAt",
      \User.value: FieldName.value,
      \User.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension User {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `game`.
struct GameRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "game"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<GameRow>: String] {
    [
      \GameRow.objectId: "objectId",
      \GameRow.createdAt: "createdAt",
      \GameRow.updatedAt: "updatedAt",
      \GameRow.value: FieldName.value,
      \GameRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension GameRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Value`.
struct ValueRowRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Value"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<ValueRowRow>: String] {
    [
      \ValueRowRow.objectId: "objectId",
      \ValueRowRow.createdAt: "createdAt",
      \ValueRowRow.updatedAt: "updatedAt",
      \ValueRowRow.value: FieldName.value,
      \ValueRowRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension ValueRowRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `ValueRow`.
struct ValueRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "ValueRow"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<ValueRow>: String] {
    [
      \ValueRow.objectId: "objectId",
      \ValueRow.createdAt: "createdAt",
      \ValueRow.updatedAt: "updatedAt",
      \ValueRow.value: FieldName.value,
      \ValueRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension ValueRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `value`, in the table `table7`.
struct ValueRowRowRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "value"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<ValueRowRowRow>: String] {
    [
      \ValueRowRowRow.objectId: "objectId",
      \ValueRowRowRow.createdAt: "createdAt",
      \ValueRowRowRow.updatedAt: "updatedAt",
      \ValueRowRowRow.value: FieldName.value,
      \ValueRowRowRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension ValueRowRowRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className, table: "table7") {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Query`.
struct QueryRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Query"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<QueryRow>: String] {
    [
      \QueryRow.objectId: "objectId",
      \QueryRow.createdAt: "createdAt",
      \QueryRow.updatedAt: "updatedAt",
      \QueryRow.value: FieldName.value,
      \QueryRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension QueryRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Data`.
struct DataRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Data"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<DataRow>: String] {
    [
      \DataRow.objectId: "objectId",
      \DataRow.createdAt: "createdAt",
      \DataRow.updatedAt: "updatedAt",
      \DataRow.value: FieldName.value,
      \DataRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension DataRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Date`.
struct DateRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Date"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<DateRow>: String] {
    [
      \DateRow.objectId: "objectId",
      \DateRow.createdAt: "createdAt",
      \DateRow.updatedAt: "updatedAt",
      \DateRow.value: FieldName.value,
      \DateRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension DateRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `String`.
struct StringRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "String"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<StringRow>: String] {
    [
      \StringRow.objectId: "objectId",
      \StringRow.createdAt: "createdAt",
      \StringRow.updatedAt: "updatedAt",
      \StringRow.value: FieldName.value,
      \StringRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension StringRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Record`.
struct RecordRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Record"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<RecordRow>: String] {
    [
      \RecordRow.objectId: "objectId",
      \RecordRow.createdAt: "createdAt",
      \RecordRow.updatedAt: "updatedAt",
      \RecordRow.value: FieldName.value,
      \RecordRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension RecordRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Field`.
struct FieldRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Field"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<FieldRow>: String] {
    [
      \FieldRow.objectId: "objectId",
      \FieldRow.createdAt: "createdAt",
      \FieldRow.updatedAt: "updatedAt",
      \FieldRow.value: FieldName.value,
      \FieldRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension FieldRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Fields`.
struct FieldsRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Fields"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<FieldsRow>: String] {
    [
      \FieldsRow.objectId: "objectId",
      \FieldsRow.createdAt: "createdAt",
      \FieldsRow.updatedAt: "updatedAt",
      \FieldsRow.value: FieldName.value,
      \FieldsRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension FieldsRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `FieldName`.
struct FieldNameRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "FieldName"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<FieldNameRow>: String] {
    [
      \FieldNameRow.objectId: "objectId",
      \FieldNameRow.createdAt: "createdAt",
      \FieldNameRow.updatedAt: "updatedAt",
      \FieldNameRow.value: FieldName.value,
      \FieldNameRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension FieldNameRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `CodingKeys`.
struct CodingKeysRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "CodingKeys"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<CodingKeysRow>: String] {
    [
      \CodingKeysRow.objectId: "objectId",
      \CodingKeysRow.createdAt: "createdAt",
      \CodingKeysRow.updatedAt: "updatedAt",
      \CodingKeysRow.value: FieldName.value,
      \CodingKeysRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension CodingKeysRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Int`.
struct IntRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Int"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<IntRow>: String] {
    [
      \IntRow.objectId: "objectId",
      \IntRow.createdAt: "createdAt",
      \IntRow.updatedAt: "updatedAt",
      \IntRow.value: FieldName.value,
      \IntRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension IntRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Bool`.
struct BoolRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Bool"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<BoolRow>: String] {
    [
      \BoolRow.objectId: "objectId",
      \BoolRow.createdAt: "createdAt",
      \BoolRow.updatedAt: "updatedAt",
      \BoolRow.value: FieldName.value,
      \BoolRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension BoolRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Double`.
struct DoubleRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Double"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<DoubleRow>: String] {
    [
      \DoubleRow.objectId: "objectId",
      \DoubleRow.createdAt: "createdAt",
      \DoubleRow.updatedAt: "updatedAt",
      \DoubleRow.value: FieldName.value,
      \DoubleRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension DoubleRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Pointer`.
struct PointerRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Pointer"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<PointerRow>: String] {
    [
      \PointerRow.objectId: "objectId",
      \PointerRow.createdAt: "createdAt",
      \PointerRow.updatedAt: "updatedAt",
      \PointerRow.value: FieldName.value,
      \PointerRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension PointerRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `File`.
struct FileRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "File"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<FileRow>: String] {
    [
      \FileRow.objectId: "objectId",
      \FileRow.createdAt: "createdAt",
      \FileRow.updatedAt: "updatedAt",
      \FileRow.value: FieldName.value,
      \FileRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension FileRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `GeoPoint`.
struct GeoPointRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "GeoPoint"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<GeoPointRow>: String] {
    [
      \GeoPointRow.objectId: "objectId",
      \GeoPointRow.createdAt: "createdAt",
      \GeoPointRow.updatedAt: "updatedAt",
      \GeoPointRow.value: FieldName.value,
      \GeoPointRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension GeoPointRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `LocalID`.
struct LocalIDRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "LocalID"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<LocalIDRow>: String] {
    [
      \LocalIDRow.objectId: "objectId",
      \LocalIDRow.createdAt: "createdAt",
      \LocalIDRow.updatedAt: "updatedAt",
      \LocalIDRow.value: FieldName.value,
      \LocalIDRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension LocalIDRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `SyncEntity`.
struct SyncEntityRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "SyncEntity"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<SyncEntityRow>: String] {
    [
      \SyncEntityRow.objectId: "objectId",
      \SyncEntityRow.createdAt: "createdAt",
      \SyncEntityRow.updatedAt: "updatedAt",
      \SyncEntityRow.value: FieldName.value,
      \SyncEntityRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension SyncEntityRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Schema`.
struct SchemaRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Schema"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<SchemaRow>: String] {
    [
      \SchemaRow.objectId: "objectId",
      \SchemaRow.createdAt: "createdAt",
      \SchemaRow.updatedAt: "updatedAt",
      \SchemaRow.value: FieldName.value,
      \SchemaRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension SchemaRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Entity`.
struct EntityRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Entity"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<EntityRow>: String] {
    [
      \EntityRow.objectId: "objectId",
      \EntityRow.createdAt: "createdAt",
      \EntityRow.updatedAt: "updatedAt",
      \EntityRow.value: FieldName.value,
      \EntityRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension EntityRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Condition`.
struct ConditionRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Condition"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<ConditionRow>: String] {
    [
      \ConditionRow.objectId: "objectId",
      \ConditionRow.createdAt: "createdAt",
      \ConditionRow.updatedAt: "updatedAt",
      \ConditionRow.value: FieldName.value,
      \ConditionRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension ConditionRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Timestamp`.
struct TimestampRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Timestamp"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<TimestampRow>: String] {
    [
      \TimestampRow.objectId: "objectId",
      \TimestampRow.createdAt: "createdAt",
      \TimestampRow.updatedAt: "updatedAt",
      \TimestampRow.value: FieldName.value,
      \TimestampRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension TimestampRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `UInt8`.
struct UInt8Row: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "UInt8"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<UInt8Row>: String] {
    [
      \UInt8Row.objectId: "objectId",
      \UInt8Row.createdAt: "createdAt",
      \UInt8Row.updatedAt: "updatedAt",
      \UInt8Row.value: FieldName.value,
      \UInt8Row.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension UInt8Row {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Foundation`.
struct FoundationRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Foundation"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<FoundationRow>: String] {
    [
      \FoundationRow.objectId: "objectId",
      \FoundationRow.createdAt: "createdAt",
      \FoundationRow.updatedAt: "updatedAt",
      \FoundationRow.value: FieldName.value,
      \FoundationRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension FoundationRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Ferry`.
struct FerryRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Ferry"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<FerryRow>: String] {
    [
      \FerryRow.objectId: "objectId",
      \FerryRow.createdAt: "createdAt",
      \FerryRow.updatedAt: "updatedAt",
      \FerryRow.value: FieldName.value,
      \FerryRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension FerryRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Swift`.
struct SwiftRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Swift"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<SwiftRow>: String] {
    [
      \SwiftRow.objectId: "objectId",
      \SwiftRow.createdAt: "createdAt",
      \SwiftRow.updatedAt: "updatedAt",
      \SwiftRow.value: FieldName.value,
      \SwiftRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension SwiftRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Type`.
struct TypeRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Type"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<TypeRow>: String] {
    [
      \TypeRow.objectId: "objectId",
      \TypeRow.createdAt: "createdAt",
      \TypeRow.updatedAt: "updatedAt",
      \TypeRow.value: FieldName.value,
      \TypeRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension TypeRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Self`.
struct SelfRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Self"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<SelfRow>: String] {
    [
      \SelfRow.objectId: "objectId",
      \SelfRow.createdAt: "createdAt",
      \SelfRow.updatedAt: "updatedAt",
      \SelfRow.value: FieldName.value,
      \SelfRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension SelfRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Any`.
struct AnyRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Any"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<AnyRow>: String] {
    [
      \AnyRow.objectId: "objectId",
      \AnyRow.createdAt: "createdAt",
      \AnyRow.updatedAt: "updatedAt",
      \AnyRow.value: FieldName.value,
      \AnyRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension AnyRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Protocol`.
struct ProtocolRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Protocol"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<ProtocolRow>: String] {
    [
      \ProtocolRow.objectId: "objectId",
      \ProtocolRow.createdAt: "createdAt",
      \ProtocolRow.updatedAt: "updatedAt",
      \ProtocolRow.value: FieldName.value,
      \ProtocolRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension ProtocolRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Optional`.
struct OptionalRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Optional"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<OptionalRow>: String] {
    [
      \OptionalRow.objectId: "objectId",
      \OptionalRow.createdAt: "createdAt",
      \OptionalRow.updatedAt: "updatedAt",
      \OptionalRow.value: FieldName.value,
      \OptionalRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension OptionalRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Equatable`.
struct EquatableRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Equatable"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<EquatableRow>: String] {
    [
      \EquatableRow.objectId: "objectId",
      \EquatableRow.createdAt: "createdAt",
      \EquatableRow.updatedAt: "updatedAt",
      \EquatableRow.value: FieldName.value,
      \EquatableRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension EquatableRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `CodingKey`.
struct CodingKeyRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "CodingKey"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<CodingKeyRow>: String] {
    [
      \CodingKeyRow.objectId: "objectId",
      \CodingKeyRow.createdAt: "createdAt",
      \CodingKeyRow.updatedAt: "updatedAt",
      \CodingKeyRow.value: FieldName.value,
      \CodingKeyRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension CodingKeyRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Task`.
struct TaskRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Task"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<TaskRow>: String] {
    [
      \TaskRow.objectId: "objectId",
      \TaskRow.createdAt: "createdAt",
      \TaskRow.updatedAt: "updatedAt",
      \TaskRow.value: FieldName.value,
      \TaskRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension TaskRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `URL`.
struct URLRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "URL"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<URLRow>: String] {
    [
      \URLRow.objectId: "objectId",
      \URLRow.createdAt: "createdAt",
      \URLRow.updatedAt: "updatedAt",
      \URLRow.value: FieldName.value,
      \URLRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension URLRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Error`.
struct ErrorRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Error"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<ErrorRow>: String] {
    [
      \ErrorRow.objectId: "objectId",
      \ErrorRow.createdAt: "createdAt",
      \ErrorRow.updatedAt: "updatedAt",
      \ErrorRow.value: FieldName.value,
      \ErrorRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension ErrorRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Codable`.
struct CodableRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Codable"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<CodableRow>: String] {
    [
      \CodableRow.objectId: "objectId",
      \CodableRow.createdAt: "createdAt",
      \CodableRow.updatedAt: "updatedAt",
      \CodableRow.value: FieldName.value,
      \CodableRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension CodableRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Decoder`.
struct DecoderRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Decoder"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<DecoderRow>: String] {
    [
      \DecoderRow.objectId: "objectId",
      \DecoderRow.createdAt: "createdAt",
      \DecoderRow.updatedAt: "updatedAt",
      \DecoderRow.value: FieldName.value,
      \DecoderRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension DecoderRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Encoder`.
struct EncoderRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Encoder"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<EncoderRow>: String] {
    [
      \EncoderRow.objectId: "objectId",
      \EncoderRow.createdAt: "createdAt",
      \EncoderRow.updatedAt: "updatedAt",
      \EncoderRow.value: FieldName.value,
      \EncoderRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension EncoderRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Hasher`.
struct HasherRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Hasher"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<HasherRow>: String] {
    [
      \HasherRow.objectId: "objectId",
      \HasherRow.createdAt: "createdAt",
      \HasherRow.updatedAt: "updatedAt",
      \HasherRow.value: FieldName.value,
      \HasherRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension HasherRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `default`, in the table `table47`.
struct Default: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "default"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<Default>: String] {
    [
      \Default.objectId: "objectId",
      \Default.createdAt: "createdAt",
      \Default.updatedAt: "updatedAt",
      \Default.value: FieldName.value,
      \Default.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension Default {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className, table: "table47") {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `class`.
struct Class: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "class"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<Class>: String] {
    [
      \Class.objectId: "objectId",
      \Class.createdAt: "createdAt",
      \Class.updatedAt: "updatedAt",
      \Class.value: FieldName.value,
      \Class.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension Class {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `self`, in the table `table49`.
struct SelfRowRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "self"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<SelfRowRow>: String] {
    [
      \SelfRowRow.objectId: "objectId",
      \SelfRowRow.createdAt: "createdAt",
      \SelfRowRow.updatedAt: "updatedAt",
      \SelfRowRow.value: FieldName.value,
      \SelfRowRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension SelfRowRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className, table: "table49") {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `init`.
struct Init: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "init"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<Init>: String] {
    [
      \Init.objectId: "objectId",
      \Init.createdAt: "createdAt",
      \Init.updatedAt: "updatedAt",
      \Init.value: FieldName.value,
      \Init.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension Init {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `struct`.
struct Struct: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "struct"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<Struct>: String] {
    [
      \Struct.objectId: "objectId",
      \Struct.createdAt: "createdAt",
      \Struct.updatedAt: "updatedAt",
      \Struct.value: FieldName.value,
      \Struct.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension Struct {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `func`.
struct Func: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "func"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<Func>: String] {
    [
      \Func.objectId: "objectId",
      \Func.createdAt: "createdAt",
      \Func.updatedAt: "updatedAt",
      \Func.value: FieldName.value,
      \Func.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension Func {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `import`.
struct Import: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "import"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<Import>: String] {
    [
      \Import.objectId: "objectId",
      \Import.createdAt: "createdAt",
      \Import.updatedAt: "updatedAt",
      \Import.value: FieldName.value,
      \Import.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension Import {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `let`.
struct Let: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "let"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<Let>: String] {
    [
      \Let.objectId: "objectId",
      \Let.createdAt: "createdAt",
      \Let.updatedAt: "updatedAt",
      \Let.value: FieldName.value,
      \Let.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension Let {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `in`, in the table `table55`.
struct In: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "in"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<In>: String] {
    [
      \In.objectId: "objectId",
      \In.createdAt: "createdAt",
      \In.updatedAt: "updatedAt",
      \In.value: FieldName.value,
      \In.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension In {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className, table: "table55") {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `x1`.
struct X1: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "x1"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<X1>: String] {
    [
      \X1.objectId: "objectId",
      \X1.createdAt: "createdAt",
      \X1.updatedAt: "updatedAt",
      \X1.value: FieldName.value,
      \X1.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension X1 {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `A_B`.
struct A_B: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "A_B"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<A_B>: String] {
    [
      \A_B.objectId: "objectId",
      \A_B.createdAt: "createdAt",
      \A_B.updatedAt: "updatedAt",
      \A_B.value: FieldName.value,
      \A_B.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension A_B {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Never`.
struct NeverRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Never"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<NeverRow>: String] {
    [
      \NeverRow.objectId: "objectId",
      \NeverRow.createdAt: "createdAt",
      \NeverRow.updatedAt: "updatedAt",
      \NeverRow.value: FieldName.value,
      \NeverRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension NeverRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Sendable`.
struct SendableRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Sendable"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<SendableRow>: String] {
    [
      \SendableRow.objectId: "objectId",
      \SendableRow.createdAt: "createdAt",
      \SendableRow.updatedAt: "updatedAt",
      \SendableRow.value: FieldName.value,
      \SendableRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension SendableRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `KeyedDecodingContainer`.
struct KeyedDecodingContainer: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "KeyedDecodingContainer"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<KeyedDecodingContainer>: String] {
    [
      \KeyedDecodingContainer.objectId: "objectId",
      \KeyedDecodingContainer.createdAt: "createdAt",
      \KeyedDecodingContainer.updatedAt: "updatedAt",
      \KeyedDecodingContainer.value: FieldName.value,
      \KeyedDecodingContainer.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension KeyedDecodingContainer {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Void`.
struct VoidRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Void"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<VoidRow>: String] {
    [
      \VoidRow.objectId: "objectId",
      \VoidRow.createdAt: "createdAt",
      \VoidRow.updatedAt: "updatedAt",
      \VoidRow.value: FieldName.value,
      \VoidRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension VoidRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `ObjectIdentifier`.
struct ObjectIdentifierRow: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "ObjectIdentifier"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<ObjectIdentifierRow>: String] {
    [
      \ObjectIdentifierRow.objectId: "objectId",
      \ObjectIdentifierRow.createdAt: "createdAt",
      \ObjectIdentifierRow.updatedAt: "updatedAt",
      \ObjectIdentifierRow.value: FieldName.value,
      \ObjectIdentifierRow.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension ObjectIdentifierRow {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}

/// A row of the class `Container`.
struct Container: SyncEntity, Equatable {
  /// The names of the fields, for conditions, orders and untyped rows.
  enum FieldName {
    static let value = "value"
    static let selfField = "self"
  }

  static let className = "Container"

  /// The fields of the properties, for queries by key paths.
  static var fieldNames: [PartialKeyPath<Container>: String] {
    [
      \Container.objectId: "objectId",
      \Container.createdAt: "createdAt",
      \Container.updatedAt: "updatedAt",
      \Container.value: FieldName.value,
      \Container.selfField: FieldName.selfField,
    ]
  }

  /// The number of the row on this device.
  var id = LocalID()
  /// The id of the record. Ferry fills it when it reads a row.
  private(set) var objectId: String?
  /// The server's time of the create. Ferry fills it when it reads a row.
  private(set) var createdAt: Date?
  /// The server's time of the newest change. Ferry fills it when it reads a row.
  private(set) var updatedAt: Date?
  /// String.
  var value: String?
  /// Date, to the millisecond.
  var selfField: Date?

  private enum CodingKeys: String, CodingKey {
    case id, objectId, createdAt, updatedAt
    case value
    case selfField = "self"
  }

  /// A new row, which the store has once it is inserted.
  init(
    value: String? = nil,
    selfField: Date? = nil
  ) {
    self.value = value
    self.selfField = selfField
  }
}

extension Container {
  /// The class, as a part of `Schema.app`.
  static let entity = Entity(className) {
    Field(FieldName.value, .text)
    Field(FieldName.selfField, .date)
  }
}
