// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse

/// The ways in which one value of an answer may be wrong.
///
/// The values of a JSON text are counted from 0, the whole first, then each with what is in it.
struct AlteredAnswer {
  private enum Alteration: CaseIterable {
    case null, negative, huge, fraction, emptyText, path, flag, list, object, missing, twice
  }

  private let root: LoopbackValue?
  private let places: Int

  init(_ body: Data) {
    root = try? LoopbackValue(json: Array(body))
    places = root.map(Self.size) ?? 0
  }

  /// The number of ways.
  var count: Int { places * Alteration.allCases.count }

  /// The text of one of the ways, from 0 up to `count`; nil where the answer has fewer.
  func text(_ number: Int) -> Data? {
    guard let root, number < count else { return nil }
    let kinds = Alteration.allCases
    var place = number / kinds.count
    let changed = Self.changed(root, at: &place, kinds[number % kinds.count])
    return Data((changed.first ?? .null).text.utf8)
  }

  private static func size(_ value: LoopbackValue) -> Int {
    switch value {
    case .array(let values): 1 + values.map(size).reduce(0, +)
    case .object(let members): 1 + members.values.map(size).reduce(0, +)
    default: 1
    }
  }

  /// The value with one place changed: none where it is left out, two where it is there twice.
  ///
  /// `place` counts the values down; below zero, the change is behind.
  private static func changed(
    _ value: LoopbackValue, at place: inout Int, _ alteration: Alteration
  ) -> [LoopbackValue] {
    place -= 1
    if place == -1 { return altered(value, alteration) }
    guard place >= 0 else { return [value] }
    switch value {
    case .array(let values):
      var all: [LoopbackValue] = []
      for value in values { all += changed(value, at: &place, alteration) }
      return [.array(all)]
    case .object(let members):
      var all: [String: LoopbackValue] = [:]
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        all[name] = changed(value, at: &place, alteration).first
      }
      return [.object(all)]
    default: return [value]
    }
  }

  private static func altered(
    _ value: LoopbackValue, _ alteration: Alteration
  ) -> [LoopbackValue] {
    switch alteration {
    case .null: [.null]
    case .negative: [-1]
    case .huge: [.number(1e308)]
    case .fraction: [.number(0.5)]
    case .emptyText: [""]
    case .path: ["../../x"]
    case .flag: [true]
    case .list: [.array([value])]
    case .object: [.object([:])]
    case .missing: []
    case .twice: [value, value]
    }
  }
}
