// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import Foundation

// Only a build for tests shows the inside of the tool.
#if DEBUG || FUZZING
  @testable import FerryTool

  extension FuzzTarget {
    /// A command line is understood, or refused with a sentence.
    static func checkArguments(_ bytes: Data) throws(BrokenLaw) {
      let arguments = String(decoding: bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false
      ).map(String.init)
      do {
        let invocation = try ArgumentParser.parse(arguments)
        let again = try ArgumentParser.parse(arguments)
        try law(again == invocation, "\(arguments) are understood in two ways.")
        guard case .command(let command) = invocation else { return }
        _ = try SyncOptions(flags: command)
        _ = try RunFlags(command)
        _ = try command.limit
        _ = try command.number(.after)
        _ = try command.number(.before)
      } catch let failure as Failure {
        try law(
          failure.exitCode == .usage && !failure.message.isEmpty,
          "\(arguments) are refused with \(failure.message)")
      } catch let error as BrokenLaw {
        throw error
      } catch {
        throw BrokenLaw("\(arguments) lead to the error \(error)")
      }
    }
  }
#else
  extension FuzzTarget {
    static func checkArguments(_ bytes: Data) throws(BrokenLaw) {}
  }
#endif
