// Ferry: offline-first sync for Parse Server. MIT licence.

/// Finds out which properties a type has by decoding it from sample values.
final class PropertyProbe {
  /// The answer to a type that asked for a name.
  struct State {
    /// The type of a property that can hold no value of its field; nil for any other property.
    var mismatch: String?
  }

  let entity: Entity
  /// By the name of the property.
  private(set) var states: [String: State] = [:]
  /// Properties that get no value, because no sample gives one.
  private var empty: Set<String> = []
  /// Asks whether the coding keys of the type have a name.
  private var keys: [(String) -> Bool] = []
  /// The property that ended the decoding, although it may have no value.
  private var stop: String?
  /// Names for which the type asked whether there is a value.
  private var optional: Set<String> = []

  private init(_ entity: Entity) { self.entity = entity }

  /// Decodes the type as often as it takes.
  ///
  /// Where no sample becomes a value of an optional property, the next round gives it none.
  static func properties(of type: any SyncEntity.Type, for entity: Entity) -> PropertyProbe {
    let probe = PropertyProbe(entity)
    repeat {
      probe.stop = nil
      _ = try? type.init(from: ProbingDecoder(probe: probe))
      if let stop = probe.stop { probe.empty.insert(stop) }
    } while probe.stop != nil
    return probe
  }

  /// Whether the coding keys have that name, also where the decoding ended before it.
  func hasKey(_ name: String) -> Bool { keys.contains { $0(name) } }

  func note(keys: @escaping (String) -> Bool) { self.keys.append(keys) }

  /// Notes that the type knows a property, and tells whether the class does.
  func note(_ name: String) -> Bool {
    states[name] = states[name] ?? State()
    return !samples(of: name).isEmpty
  }

  /// Whether the property gets no value.
  func isEmpty(_ name: String) -> Bool {
    optional.insert(name)
    return !note(name) || empty.contains(name)
  }

  /// A value of a property.
  ///
  /// - Throws: The reason why no sample becomes one.
  func sample<Property: Decodable>(
    _ type: Property.Type, of key: any CodingKey
  ) throws -> Property {
    let name = key.stringValue
    _ = note(name)
    var failure: any Error = DecodingError.valueNotFound(
      type, .init(codingPath: [key], debugDescription: "There is no sample."))
    var fits = false
    for value in samples(of: name) {
      do {
        let sample = try value.decode(type, in: .record, [key])
        states[name] = State()
        return sample
      } catch {
        failure = error
        if !error.isMismatch(at: key) { fits = true }
      }
    }
    if !fits, !samples(of: name).isEmpty { states[name] = State(mismatch: "\(type)") }
    if let value = SampleDecoder.value(of: type) { return value }
    if optional.contains(name), !empty.contains(name) { stop = name }
    throw failure
  }

  /// Values that a row may have there; none where the class has no such field.
  private func samples(of name: String) -> [Value] {
    switch name {
    case EntityProperty.id: return [1]
    case EntityProperty.objectID: return ["a"]
    case EntityProperty.createdAt, EntityProperty.updatedAt: return [.date(.now)]
    default:
      guard let field = entity.field(name) else { return [] }
      return (field.defaultValue.isNull ? [] : [field.defaultValue]) + field.type.samples
    }
  }
}

extension Error {
  /// Whether a decoder found another kind of value under the key itself, and not within its value.
  fileprivate func isMismatch(at key: any CodingKey) -> Bool {
    guard case DecodingError.typeMismatch(_, let context) = self as any Error else { return false }
    return context.codingPath.map(\.stringValue) == [key.stringValue]
  }
}

extension FieldType {
  /// Values of the type, of which the first ones are the most telling.
  fileprivate var samples: [Value] {
    switch self {
    case .text: ["a", "https://example.com/a"]
    case .integer: [1, 0]
    case .number: [0.5]
    case .boolean: [true]
    case .date: [.date(Timestamp(milliseconds: 0))]
    case .pointer(let target): [.pointer(Pointer(className: target, objectID: "a"))]
    case .bytes: [.bytes([0])]
    case .object: [.object([:])]
    case .array: [.array([])]
    case .geoPoint: [.geoPoint(GeoPoint(latitude: 0, longitude: 0))]
    case .polygon:
      [
        .polygon(
          [(0, 0), (0, 1), (1, 1)].map { GeoPoint(latitude: $0, longitude: $1) })
      ]
    case .file: [.file(File(name: "a"))]
    case .relation(let target): [.relation(className: target)]
    }
  }
}
