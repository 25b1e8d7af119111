// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// A class of a world: an entity, and the parts that its fields play.
///
/// One text field is the row's *title*: its value is the row's name and never changes, so that a record is recognised
/// under whatever id it goes. Relations are read only, so nobody writes them. All other fields are edited.
public struct WorldClass: Sendable {
  /// The class as the present programs of the devices declare it.
  public private(set) var entity: Entity
  /// The field with the row's name.
  public let title: String
  /// Whether a row that a user creates belongs to that user alone.
  public var isPrivate = false
  /// Whether the devices' schema says so, rather than the server's rules.
  public internal(set) var isPrivateBySchema = false {
    didSet { entity.defaultAccess = isPrivateBySchema ? .creator() : .server }
  }
  /// Whether the server's rules say so.
  var isPrivateByRule: Bool { isPrivate && !isPrivateBySchema }
  /// Whether syncs do not list the class, so that devices fetch its records; the world decides, as it does about privacy.
  public internal(set) var isOnDemand: Bool {
    get { entity.isOnDemand }
    set { entity.isOnDemand = newValue }
  }
  /// The pointers to classes of the world: field and class.
  public private(set) var pointers: [(field: String, target: String)] = []
  /// The fields with values of their own, which are no such pointers.
  private(set) var written: [String] = []
  /// The class of the members of its relation; nil without one.
  private(set) var members: String?
  /// The fields that get a value with a new row and keep it: PostgreSQL cannot change bytes.
  private(set) var lasting: [String] = []
  /// The fields that each new row has: those of the filter, or else the first one, and the lasting ones.
  private(set) var basic: [String] = []
  /// The fields that take too few values for each write to have its own: Booleans, and texts that a filter compares.
  private(set) var unstamped: Set<String> = []
  /// The field for whole numbers to which another client writes a fraction, so that no device can read the record.
  private(set) var whole: String?
  /// The field that the app got later: older programs do not declare it, and the server's owner may drop it.
  private(set) var later: String?

  /// The name.
  public var name: String { entity.name }
  /// Whether devices keep only rows that satisfy a condition.
  public var isFiltered: Bool { entity.recordFilter != nil }
  /// How devices find deleted rows.
  public var deletions: DeletionStrategy { entity.deletionStrategy }

  /// The field that marks deleted rows; nil where records are deleted.
  var flag: String? { if case .softDelete(let field) = deletions { field } else { nil } }
  /// The fields that apps and other clients edit.
  var editable: [String] { written + pointers.map(\.field) }

  /// A class of an app, with the field of its rows' names and the classes of its world.
  init(_ entity: Entity, title: String, among classes: Set<String>) {
    self.entity = entity
    self.title = title
    self.entity.isOnDemand = false
    assignParts(among: classes)
  }

  private mutating func assignParts(among classes: Set<String>) {
    let fields = entity.fields.filter { field in
      field.name != title && field.name != flag && !field.type.isRelation
    }
    pointers = fields.compactMap { field in
      guard case .pointer(let target) = field.type, classes.contains(target) else { return nil }
      return (field.name, target)
    }
    let linked = Set(pointers.map(\.field))
    // The server takes one geo point a record.
    let place = fields.first { $0.type == .geoPoint }?.name
    let own = fields.filter {
      !linked.contains($0.name) && ($0.type != .geoPoint || $0.name == place)
    }
    written = own.filter { $0.type != .bytes }.map(\.name)
    lasting = own.filter { $0.type == .bytes }.map(\.name)
    let filtered = entity.recordFilter?.fields ?? []
    basic = written.filter(filtered.contains)
    if basic.isEmpty { basic = Array(written.prefix(1)) }
    basic += lasting
    let bare = own.filter { $0.defaultValue.isNull && $0.type != .bytes }
    whole = bare.first { $0.type == .integer }?.name
    let free = bare.filter { !filtered.contains($0.name) }
    later = (free.last { $0.type == .text } ?? free.last { $0.name != whole })?.name
    unstamped = Set(written.filter { !hasRoomForStamp($0) })
  }

  private func hasRoomForStamp(_ field: String) -> Bool {
    let stamps = 1...64
    return Set(stamps.map { content(of: field, $0, by: "A") }).count == stamps.count
  }
}

// Smaller classes.
extension WorldClass {
  /// The fields that may go: no rule of the class needs them.
  var droppable: [String] {
    entity.fields.map(\.name).filter {
      $0 != title && $0 != flag && !filters(by: $0) && !(members != nil && $0 == Members.field)
    }
  }

  mutating func dropFilter() { change { $0.recordFilter = nil } }

  /// The server deletes records, and devices find that by counting.
  mutating func dropDeletions() {
    change { [flag] entity in
      entity.fields.removeAll { $0.name == flag }
      entity.deletionStrategy = .counting
    }
  }

  /// Gives the class a relation whose members the devices keep.
  mutating func addMembers(_ field: String, from target: String) {
    members = target
    change { $0.fields.append(Field(field, .relation(to: target))) }
  }

  mutating func dropMembers(from target: String) {
    guard members == target else { return }
    members = nil
    drop([Members.field])
  }

  /// The class of the pairs of its relation, which the server does not have; nil without one.
  var pairs: Entity? {
    members.map { Entity(membersOf: Members.field, in: name, from: $0) }
  }

  mutating func drop(_ fields: Set<String>) {
    change { $0.fields.removeAll { fields.contains($0.name) } }
  }

  private mutating func change(_ body: (inout Entity) -> Void) {
    let targets = Set(pointers.map(\.target))
    body(&entity)
    assignParts(among: targets)
  }
}
