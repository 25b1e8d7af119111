// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation

// Copies of the package with mutants.
extension Main {
  /// Writes a copy of the package in the present folder, and prints its mutants.
  static func writeMutants(to folder: String, _ options: Options) throws -> Bool {
    let refused = try options.refusedLines.map { try String(contentsOfFile: $0, encoding: .utf8) }
    let sources = MutatedSources(
      of: URL(filePath: FileManager.default.currentDirectoryPath),
      refusing: Set((refused ?? "").split(separator: "\n").map(String.init)))
    for mutant in try sources.write(to: URL(filePath: folder)) { print(mutant) }
    return true
  }
}
