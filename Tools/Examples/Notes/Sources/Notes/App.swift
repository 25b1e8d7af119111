// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// The program: tasks that keep the screen true, and one that does what the person types.
struct App: Sendable {
  let accounts: ParseAccounts
  let stores: SyncStores
  private let schedule: SyncSchedule
  let screen = Screen()
  let terminal = Terminal()

  /// The step after a command: another part of the notes, the notes of another user, or the end.
  enum Step: Sendable {
    case show(NoteList), reopen, quit
  }

  /// Reads `notes FOLDER SERVER [SECONDS]`; an app has these in its code, or in its settings.
  init(_ arguments: [String]) throws {
    guard (3...4).contains(arguments.count), let address = URL(string: arguments[2]),
      address.host() != nil, let seconds = arguments.count > 3 ? Int(arguments[3]) : 15
    else { throw Problem("usage: notes FOLDER SERVER [SECONDS BETWEEN TWO SYNCS]") }
    let folder = URL(filePath: arguments[1], directoryHint: .isDirectory)
    accounts = ParseAccounts(
      server: ParseServer(url: address, applicationID: "app1"),
      credentials: FileCredentialStore(at: folder.appending(path: "credentials.json")))
    stores = SyncStores(in: folder, schema: .notes)
    schedule = SyncSchedule(interval: .seconds(seconds))
  }

  /// Runs until the person quits; after a log-in or a log-out, with the notes of another user.
  func run() async throws {
    while case .reopen = await use(try await Notebook.open(stores, accounts)) {}
  }

  private func use(_ notebook: Notebook) async -> Step {
    await withDiscardingTaskGroup { group in
      group.addTask { await notebook.coordinator.run(schedule, adopting: notebook.adopting) }
      group.addTask {
        await show("status", notebook.coordinator.observeState()) {
          await screen.show(status: $0.text(isLoggedIn: notebook.user != nil))
        }
      }
      if notebook.leftWithNobody > 0 {
        let notes = "note".counted(notebook.leftWithNobody)
        await screen.say("Of before the log-in, \(notes) will be back after logout.")
      }
      var step = Step.show(NoteList())
      while case .show(let list) = step { step = await show(list, of: notebook) }
      group.cancelAll()
      return step
    }
  }

  /// Shows a part of the notes until the person wants to see another one.
  private func show(_ list: NoteList, of notebook: Notebook) async -> Step {
    await withDiscardingTaskGroup { group in
      group.addTask {
        await show("list", notebook.store.observe { try list.lines(in: $0) }) {
          await screen.show($0, under: "Notes of \(notebook.userName)\(list.title)")
        }
      }
      defer { group.cancelAll() }
      await screen.prompt()
      while let line = await terminal.line() {
        await screen.say("")
        do {
          if let step = try await carryOut(line, on: notebook, in: list) { return step }
        } catch {
          await screen.say("\(error)")
        }
        await screen.prompt()
      }
      return .quit
    }
  }

  /// Shows each value of an observation until it ends, such as by an error of the store.
  private func show<Value>(
    _ name: String, _ values: StoreObservation<Value>, _ body: (Value) async -> Void
  ) async {
    do {
      for try await value in values { await body(value) }
    } catch {
      await screen.say("The \(name) follows no longer, and all notes stay. Start again. \(error)")
    }
  }
}
