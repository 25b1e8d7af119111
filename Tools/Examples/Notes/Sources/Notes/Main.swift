// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// `notes`: a notes program for the terminal, offline first.
@main enum Main {
  static func main() async {
    do {
      let app = try App(CommandLine.arguments)
      await app.screen.open()
      let work = Task { try await app.run() }
      // Ctrl-C loses nothing: each edit is in the store, and the next start sends it.
      let interruptions = Terminal.onInterruption { work.cancel() }
      let result = await work.result
      withExtendedLifetime(interruptions) {}
      await app.screen.close()
      try result.get()
    } catch is CancellationError {
    } catch {
      FileHandle.standardError.write(Data("notes: \(error)\n".utf8))
      exit(1)
    }
  }
}
