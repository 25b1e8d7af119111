// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry help`, `--help` and `ferry` alone.
struct HelpCommand {
  var console: Console
  var topic: String?

  func run() -> ExitCode {
    let page = HelpText.page(topic)
    console.message(
      JSONMessage("help", ["text": .string(page)]).with("topic", topic.map(Value.string)))
    console.result(page)
    return .success
  }
}
