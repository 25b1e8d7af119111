// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// A program of this package, which is built beside the tests.
package enum BuiltProgram {
  /// The file of a program.
  package static func file(_ name: String) -> URL {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name)
      .absoluteURL
  }
}
