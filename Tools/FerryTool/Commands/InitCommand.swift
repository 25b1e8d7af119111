// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// `ferry init`: asks a server what classes look like, and writes `ferry.json`.
struct InitCommand {
  var session: Session

  private var console: Console { session.console }

  func run() throws(Failure) -> ExitCode {
    session.interruption.watch()
    let file = ConfigurationFile(workspace: session.workspace)
    var configuration = try asked()
    guard !file.exists || session.command.has(.force) else {
      throw Failure(
        .cannotCreate, "exists",
        "\(session.workspace.configuration.filePath) exists already. Nothing was changed. Overwrite it with "
          + "--force, or choose another folder with --directory.")
    }
    let cancellation = CancellationSignal()
    session.interruption.onInterruption { cancellation.cancel() }
    let server = try configuration.connection(
      in: session.workspace, warn: { console.warning($0) }
    ).server
    console.note("Asking \(configuration.server.absoluteString) for its classes")
    let transport = WatchedTransport(session.transport)
    let asking = ClassSurvey(
      server: server, timeout: try SyncOptions(flags: session.command).timeout,
      transport: transport, cancellation: cancellation)
    let survey = try session.sayingSilence(of: transport) { () throws(Failure) in
      try asking.run(classNames)
    }
    configuration.schema.entities = survey.entities
    try file.write(configuration)
    for warning in survey.warnings { console.warning(warning) }
    report(survey)
    return survey.classesWithoutFields.isEmpty && survey.problems.isEmpty ? .success : .partial
  }

  private func report(_ survey: ClassSurvey.Result) {
    let path = session.workspace.configuration.filePath
    console.message(survey.json(file: path))
    let fields = survey.entities.reduce(0) { $0 + $1.fields.count }
    console.result(
      "Wrote \(path): \(survey.entities.count.counted("class", "classes")), "
        + "\(fields.counted("field", "fields")), from \(survey.source.words).")
    console.note("Look at it, then: ferry doctor")
  }

  private var classNames: [String] {
    var seen = Set<String>()
    return session.command.classNames.filter { seen.insert($0).inserted }
  }

  /// The configuration that the flags give, still without fields.
  private func asked() throws(Failure) -> SyncConfiguration {
    let command = session.command
    guard let address = command.value(.server) else { throw missing(.server, "URL") }
    guard let url = Self.serverURL(address) else {
      let meant = address.contains(":/") ? nil : Self.serverURL("https://" + address)
      let remedy = meant.map { " Did you mean \($0.absoluteString)?" } ?? ""
      throw Failure(
        usage:
          "--server has to be a full http or https URL such as https://parse.example.com/1, not "
          + "\(address.quoted). Nothing was done.\(remedy)")
    }
    guard let applicationID = command.value(.applicationID) else {
      throw missing(.applicationID, "ID")
    }
    guard !classNames.isEmpty else { throw missing(.className, "NAME") }
    var configuration = SyncConfiguration(
      server: url, applicationID: applicationID, schema: Schema([]))
    configuration.keyFiles = [
      .restKey: command.value(.restKeyFile), .masterKey: command.value(.masterKeyFile),
      .sessionToken: command.value(.sessionTokenFile),
    ].compactMapValues { $0.map(storedPath) }
    return configuration
  }

  private static func serverURL(_ address: String) -> URL? {
    guard let url = URL(string: address), url.host()?.isEmpty == false,
      ["http", "https"].contains(url.scheme?.lowercased())
    else { return nil }
    return url
  }

  private func missing(_ flag: Flag.Name, _ value: String) -> Failure {
    Failure(
      usage:
        "ferry init needs --\(flag.rawValue) \(value). \"ferry help init\" shows how it is used.")
  }

  /// Relative to the folder of `ferry.json` inside of it, absolute elsewhere.
  private func storedPath(_ path: String) -> String {
    let absolute = URL(filePath: path).absoluteURL.standardized.filePath
    let folder = session.workspace.folder.filePath + "/"
    return absolute.hasPrefix(folder) ? String(absolute.dropFirst(folder.count)) : absolute
  }
}

extension Int {
  /// A number with its noun.
  func counted(_ one: String, _ many: String) -> String { "\(grouped) \(self == 1 ? one : many)" }
}
