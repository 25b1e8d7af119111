// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// A copy of the package in which each seeded bug of the engine's code can be switched on.
///
/// Only the copy has the switches, so an app ships none of them.
package struct SeededSources {
  /// A seeded bug whose place in the code is not there, or is there more than once.
  package struct Misplaced: Error, CustomStringConvertible {
    /// Which bug, and which text.
    package var description: String
  }

  private let package: URL

  /// The sources of a package.
  package init(of package: URL) { self.package = package }

  /// Writes the copy.
  ///
  /// - Parameter copy: The folder of the copy.
  /// - Throws: `Misplaced`, or the error of a file.
  package func write(to copy: URL) throws {
    var changed = try changedFiles()
    changed["Sources/FerryModel/SeededSwitch.swift"] = Self.switchText
    try PackageCopy(package: package).write(to: copy, with: changed)
  }

  /// The changed files with all mistakes, by name.
  ///
  /// - Returns: The texts.
  /// - Throws: `Misplaced`, or the error of a file.
  package func changedFiles() throws -> [String: String] {
    var files: [String: String] = [:]
    for (number, bug) in SeededBug.allCases.enumerated() {
      for change in bug.changes {
        let name = "Sources/\(change.file)"
        let text =
          try files[name] ?? String(contentsOf: package.appending(path: name), encoding: .utf8)
        files[name] = try Self.text(text, with: change, of: bug, numbered: number)
      }
    }
    return files.mapValues { $0.importingModel() }
  }

  private static func text(
    _ text: String, with change: SourceChange, of bug: SeededBug, numbered number: Int
  ) throws(Misplaced) -> String {
    let parts = text.components(separatedBy: change.original)
    guard parts.count == 2 else {
      throw Misplaced(
        description:
          "The seeded bug \(bug) has its place \(parts.count - 1) times in \(change.file): "
          + change.original)
    }
    return parts.joined(
      separator: change.mistaken.replacing("isSeeded", with: "SeededSwitch.isOn(\(number))"))
  }

  /// The switch of all mistakes, for the copy.
  ///
  /// A test of the copy starts with the bug that the environment variable `FERRY_SEEDED_BUG` names.
  private static let switchText = """
    // Ferry: offline-first sync for Parse Server. MIT licence.

    import Foundation

    /// Which mistakes are on.
    ///
    /// Unsafe without harm: the simulator sets the mask before a world begins, and hunts on one thread.
    package enum SeededSwitch {
      private static let names = \(SeededBug.allCases.map { "\($0)" })
      package nonisolated(unsafe) static var mask: (UInt64, UInt64) = {
        let name = ProcessInfo.processInfo.environment["FERRY_SEEDED_BUG"]
        guard let number = names.firstIndex(where: { $0 == name }) else { return (0, 0) }
        return number < 64 ? (1 << UInt64(number), 0) : (0, 1 << UInt64(number - 64))
      }()
      package static func isOn(_ number: Int) -> Bool {
        (number < 64 ? mask.0 >> UInt64(number) : mask.1 >> UInt64(number - 64)) & 1 == 1
      }
    }

    """
}
