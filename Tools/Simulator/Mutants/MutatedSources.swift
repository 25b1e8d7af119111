// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// A copy of the package in which each mutant of the planners can be switched on.
///
/// The environment variable `FERRY_MUTANT` names the one that is on. Not each change compiles, so the caller builds
/// the copy, and writes it again without the mutants of the lines that the compiler refuses.
package struct MutatedSources {
  private static let folder = "Sources/FerryPlanning"
  private let package: URL
  private let refused: Set<String>

  /// The sources of a package.
  ///
  /// - Parameters:
  ///   - package: The folder of the package.
  ///   - refused: The lines that stay as they are, each as "file:line".
  package init(of package: URL, refusing refused: Set<String> = []) {
    self.package = package
    self.refused = refused
  }

  /// Writes the copy.
  ///
  /// - Parameter copy: The folder of the copy.
  /// - Returns: The mutants in it.
  /// - Throws: The error of a file.
  package func write(to copy: URL) throws -> [Mutant] {
    var changed = ["Sources/FerryModel/MutantSwitch.swift": Self.switchText]
    var mutants: [Mutant] = []
    var number = 0
    let names = try FileManager.default.subpathsOfDirectory(
      atPath: package.appending(path: Self.folder).path)
    for name in names.filter({ $0.hasSuffix(".swift") }).sorted() {
      let file = "\(Self.folder)/\(name)"
      let text = try String(contentsOf: package.appending(path: file), encoding: .utf8)
      var source = MutatedFile(file, text, from: number, refusing: refused)
      source.mutate()
      number = source.nextNumber
      mutants += source.mutants
      if !source.mutants.isEmpty { changed[file] = source.text }
    }
    try PackageCopy(package: package).write(to: copy, with: changed)
    return mutants
  }

  /// The switch of the mutants, for the copy.
  private static let switchText = """
    // Ferry: offline-first sync for Parse Server. MIT licence.

    import Foundation

    /// The mutant that is on.
    package enum MutantSwitch {
      private static let number =
        Int(ProcessInfo.processInfo.environment["FERRY_MUTANT"] ?? "") ?? -1
      /// A byte for each mutant that would have made a difference, in the file that the environment names.
      ///
      /// Threads may write at once: each of them only ever sets a byte to 1, so that none undoes another's.
      nonisolated(unsafe) private static let differences: UnsafeMutablePointer<UInt8>? = {
        guard let path = ProcessInfo.processInfo.environment["FERRY_MUTANTS_REACHED"] else { return nil }
        let file = open(path, O_RDWR | O_CREAT, 0o600)
        guard file >= 0, ftruncate(file, 8192) == 0,
          let bytes = mmap(nil, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        else { return nil }
        return bytes.assumingMemoryBound(to: UInt8.self)
      }()

      package static func isOn(_ mutant: Int) -> Bool {
        differences?[mutant] = 1
        return number == mutant
      }
      /// Two mutants: the first makes the condition hold, the second makes it fail.
      package static func condition(_ first: Int, _ value: @autoclosure () -> Bool) -> Bool {
        if number == first { return true }
        if number == first + 1 { return false }
        let holds = value()
        differences?[first + (holds ? 1 : 0)] = 1
        return holds
      }
      package static func choice(
        _ mutant: Int, _ value: @autoclosure () -> Bool, _ other: @autoclosure () -> Bool
      ) -> Bool {
        if let differences, differences[mutant] == 0, value() != other() { differences[mutant] = 1 }
        return number == mutant ? other() : value()
      }
    }

    """
}
