// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry generate`: writes the classes of `ferry.json` as code.
struct GenerateCommand {
  var session: Session

  func run() throws(Failure) -> ExitCode {
    let (console, command) = (session.console, session.command)
    let schema = try session.configuration().schema
    let file = SwiftFile(schema)
    let types = Value.object(file.types.mapValues(Value.string))
    guard let path = command.value(.out) else {
      console.message(
        JSONMessage("generate", ["language": "swift", "types": types, "text": .string(file.text)]))
      console.result(String(file.text.dropLast()))
      return .success
    }
    let isChanged = try GeneratedFile(path: path, firstLine: SwiftFile.firstLine).write(file.text)
    console.message(
      JSONMessage(
        "generate",
        [
          "language": "swift", "types": types, "file": .string(path),
          "changed": .boolean(isChanged),
        ]))
    let classes = schema.entities.count.counted("class", "classes")
    console.result(
      isChanged ? "Wrote \(path): \(classes)." : "\(path) is as it should be: \(classes).")
    return .success
  }
}
