// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// `ferry-torture`: lets everything around a store go wrong, and judges what becomes of both sides.
@main enum Main {
  private static let usage = """
    usage: ferry-torture calls [N]              interferes at one of N system calls of ferry; by default all
           ferry-torture processes [N] [SEED]   eight processes on one store, N rounds; by default 100
           ferry-torture writer [N]             an app that writes without pause while N records arrive
           ferry-torture sql [N] [SEED]         SQL of other programs during syncs, N rounds; by default 100
           ferry-torture damage [N] [SEED]      N damaged copies of a store; by default 2000
    A seed is printed; by default another one each time.

    """

  static func main() async {
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      let numbers = arguments.dropFirst().prefix(2).map { Int($0) ?? 0 }
      let isChild = arguments.first == "damaged-copies" && arguments.count == 4
      guard isChild || arguments.count <= 3, let command = arguments.first,
        numbers.allSatisfy({ $0 > 0 })
      else { throw Usage() }
      if isChild {
        try await DamagedCopies.playHere(
          seed: numbers[0], count: numbers[1], in: URL(filePath: arguments[3]))
        return
      }
      let root = FileManager.default.temporaryDirectory.appending(path: "ferry-torture-\(UUID())")
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
      var torture = Torture(root: root, number: numbers.first, seed: numbers.dropFirst().first)
      defer { try? FileManager.default.removeItem(at: root) }
      try await torture.run(command)
      try? FileManager.default.removeItem(at: root)
      exit(torture.isGood ? 0 : 1)
    } catch is Usage {
      FileHandle.standardError.write(Data(usage.utf8))
      exit(64)
    } catch {
      FileHandle.standardError.write(Data("ferry-torture: \(error)\n".utf8))
      exit(70)
    }
  }

  struct Usage: Error {}
}
