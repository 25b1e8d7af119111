// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A copy of the package in which some files differ.
struct PackageCopy {
  private static let folders = ["Sources", "Tools", "Tests"]
  /// The folder of the package.
  let package: URL

  /// Writes the copy; leaves files alone that are as they should be, so that a build goes on from the last one.
  ///
  /// - Parameters:
  ///   - copy: The folder of the copy.
  ///   - changed: The files that differ, by name.
  /// - Throws: The error of a file.
  func write(to copy: URL, with changed: [String: String]) throws {
    let names = try Self.names(below: package)
    for name in names where changed[name] == nil {
      let file = package.appending(path: name)
      guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
        continue
      }
      try Self.write(Data(contentsOf: file), to: copy.appending(path: name))
    }
    for (name, text) in changed { try Self.write(Data(text.utf8), to: copy.appending(path: name)) }
    let kept = Set(names).union(changed.keys)
    for name in try Self.names(below: copy) where name.hasSuffix(".swift") && !kept.contains(name) {
      try FileManager.default.removeItem(at: copy.appending(path: name))
    }
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
}

extension String {
  /// The text of a source file, with an import of the module that has the switches.
  func importingModel() -> String {
    contains("import FerryModel\n")
      ? self
      : replacing("MIT licence.\n", with: "MIT licence.\n\nimport FerryModel\n", maxReplacements: 1)
  }
}
