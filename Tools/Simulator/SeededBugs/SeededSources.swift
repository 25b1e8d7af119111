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

  private static let folders = ["Sources", "Tools", "Tests"]
  private let package: URL

  /// The sources of a package.
  package init(of package: URL) { self.package = package }

  /// Writes the copy; leaves files alone that are as they should be, so that a build goes on from the last one.
  ///
  /// - Parameter copy: The folder of the copy.
  /// - Throws: `Misplaced`, or the error of a file.
  package func write(to copy: URL) throws {
    var wanted = try changedFiles()
    wanted["Sources/FerryModel/SeededSwitch.swift"] = Self.switchText
    let names = try Self.names(below: package)
    for name in names where wanted[name] == nil {
      let file = package.appending(path: name)
      guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
        continue
      }
      try Self.write(Data(contentsOf: file), to: copy.appending(path: name))
    }
    for (name, text) in wanted { try Self.write(Data(text.utf8), to: copy.appending(path: name)) }
    let kept = Set(names).union(wanted.keys)
    for name in try Self.names(below: copy) where name.hasSuffix(".swift") && !kept.contains(name) {
      try FileManager.default.removeItem(at: copy.appending(path: name))
    }
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
    return files.mapValues { text in
      text.contains("import FerryModel\n")
        ? text
        : text.replacing(
          "MIT licence.\n", with: "MIT licence.\n\nimport FerryModel\n", maxReplacements: 1)
    }
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

  /// The files of a package that matter to a build.
  private static func names(below package: URL) throws -> [String] {
    try folders.reduce(into: ["Package.swift"]) { names, folder in
      names += try FileManager.default.subpathsOfDirectory(
        atPath: package.appending(path: folder).path
      ).map { "\(folder)/\($0)" }
    }
  }

  private static func write(_ data: Data, to file: URL) throws {
    guard (try? Data(contentsOf: file)) != data else { return }
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  /// The switch of all mistakes, for the copy.
  private static let switchText = """
    // Ferry: offline-first sync for Parse Server. MIT licence.

    /// Which mistakes are on.
    ///
    /// Unsafe without harm: the simulator sets the mask before a world begins, and hunts on one thread.
    package enum SeededSwitch {
      package nonisolated(unsafe) static var mask: (UInt64, UInt64) = (0, 0)
      package static func isOn(_ number: Int) -> Bool {
        (number < 64 ? mask.0 >> UInt64(number) : mask.1 >> UInt64(number - 64)) & 1 == 1
      }
    }

    """
}
