// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import Randomness
import Testing

/// Lists in sections, as a list view animates them.
@Suite struct SectionedListDifferenceTests {
  private struct Row: Equatable {
    var id: LocalID
    var key: Int
    var text = ""
  }

  private typealias Section = ListSection<Int, Row>

  private func row(_ number: Int64, _ key: Int) -> Row {
    Row(id: LocalID(rawValue: number), key: key)
  }

  private func difference(_ old: [Row], _ new: [Row]) -> SectionedListDifference {
    SectionedListDifference(
      from: Section.sections(of: old, by: \.key), to: Section.sections(of: new, by: \.key),
      identifiedBy: \.id)
  }

  @Test func `a section comes and goes as a whole`() {
    let rows = [row(1, 1), row(2, 1), row(3, 2)]
    let comes = difference([rows[2]], rows)
    #expect(comes.insertedSections == [0])
    #expect(comes.inserted.isEmpty && comes.moved.isEmpty && comes.removed.isEmpty)
    let goes = difference(rows, [rows[2]])
    #expect(goes.removedSections == [0] && goes.removed.isEmpty)
    #expect(difference(rows, rows).isEmpty)
  }

  @Test func `a row that changes its section moves`() {
    let found = difference(
      [row(1, 1), row(2, 1), row(3, 2)], [row(1, 1), row(2, 2), row(3, 2)])
    #expect(found.moved == [.init(from: .init(section: 0, row: 1), to: .init(section: 1, row: 0))])
    #expect(found.updated == [.init(section: 1, row: 0)])
    #expect(found.removed.isEmpty && found.inserted.isEmpty)
  }

  @Test func `rows move only if they change their section or overtake rows of it`() {
    func moves(_ old: [[Int64]], _ new: [[Int64]]) -> [[Int]] {
      func rows(_ sections: [[Int64]]) -> [Row] {
        sections.enumerated().flatMap { key, numbers in numbers.map { row($0, key) } }
      }
      return difference(rows(old), rows(new)).moved.map {
        [$0.from.section, $0.from.row, $0.to.section, $0.to.row]
      }
    }
    #expect(moves([[1, 2, 3], [4]], [[1, 3], [2, 4]]) == [[0, 1, 1, 0]])
    #expect(
      moves([[1, 2, 3, 4, 5], [6]], [[4, 5], [1, 2, 3, 6]])
        == [[0, 0, 1, 0], [0, 1, 1, 1], [0, 2, 1, 2]])
    #expect(moves([[1, 2, 3], [4]], [[3, 1, 2], [4]]) == [[0, 2, 0, 0]])
  }

  @Test func `rows of one key are one section, wherever they stand`() {
    let sections = Section.sections(of: [row(1, 1), row(2, 2), row(3, 1)], by: \.key)
    #expect(sections.map(\.key) == [1, 2])
    #expect(sections.map(\.rows.count) == [2, 1])
  }

  @Test(arguments: 1...4)
  func `the changes make the old sections into the new ones`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for world in 0..<500 {
      func list() -> [Section] {
        let keys = (1...5).shuffled(using: &generator)
        let rows = (1...12).shuffled(using: &generator)
          .prefix(Int.random(in: 0...12, using: &generator)).map { number in
            Row(
              id: LocalID(rawValue: number),
              key: keys[Int.random(in: 0..<3, using: &generator)],
              text: Bool.random(using: &generator) ? "a" : "b")
          }
        return Section.sections(of: rows, by: \.key)
      }
      let (old, new) = (list(), list())
      let found = SectionedListDifference(from: old, to: new, identifiedBy: \.id)
      #expect(applied(found, to: old, taking: new) == new, "seed \(seed), world \(world)")
      #expect(found.isEmpty == (old == new), "seed \(seed), world \(world)")
    }
  }

  /// The list that a list view comes to from an old one, as it follows the difference to a new one.
  private func applied(
    _ difference: SectionedListDifference, to old: [Section], taking new: [Section]
  ) -> [Section] {
    var sections = old
    for place in (difference.removed + difference.moved.map(\.from)).sorted(by: >) {
      sections[place.section].rows.remove(at: place.row)
    }
    for section in difference.removedSections.reversed() { sections.remove(at: section) }
    for section in difference.insertedSections { sections.insert(new[section], at: section) }
    for place in (difference.inserted + difference.moved.map(\.to)).sorted() {
      sections[place.section].rows.insert(
        new[place.section].rows[place.row], at: place.row)
    }
    for place in difference.updated {
      sections[place.section].rows[place.row] = new[place.section].rows[place.row]
    }
    return sections
  }
}
