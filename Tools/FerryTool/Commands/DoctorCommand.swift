// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import Foundation

/// `ferry doctor`: looks at a server and at this machine before a sync, and says what to do.
struct DoctorCommand {
  var session: Session

  private var console: Console { session.console }

  func run() throws -> ExitCode {
    let isWriting = session.command.has(.write)
    guard isWriting || !session.command.has(.makeIndex) else {
      throw UsageError(
        "--make-index writes to the server, so it needs --write too. Nothing was sent.")
    }
    session.interruption.watch()
    let configuration = try session.configuration()
    let keyFiles = configuration.keyFiles.map {
      KeyFile($0.key, path: $0.value, in: session.workspace.folder).file
    }
    let local = LocalChecks(session.workspace, keyFiles: keyFiles.sorted { $0.path < $1.path })
    // The checks include its warnings.
    let server = try configuration.connection(in: session.workspace.folder, warn: { _ in })
    let cancellation = CancellationSignal()
    session.interruption.onInterruption { cancellation.cancel() }
    let examination = ServerExamination(
      server: server, classNames: configuration.entities.map(\.name),
      hasSession: configuration.keyFiles[.sessionToken] != nil, transport: session.transport,
      cancellation: cancellation)
    console.note("Looking at \(configuration.server.absoluteString)")
    var answers = try examination.run()
    let written = isWriting ? try write(examination, &answers) : []
    let report = DoctorReport(
      server: configuration.server.absoluteString, applicationID: configuration.applicationID,
      checks: local.checks + checks(of: examination, answers, configuration.entities),
      written: written)
    console.message(report.json)
    console.result(report.lines(width: console.facts.width).joined(separator: "\n"))
    return report.exitCode
  }

  private func checks(
    of examination: ServerExamination, _ answers: ServerAnswers, _ entities: [Entity]
  ) -> [Check] {
    let names = examination.classNames
    let connection = ConnectionChecks(
      server: examination.server, classNames: names,
      allowsCleartext: session.command.has(.allowCleartext), answers: answers)
    let index = IndexCheck(server: examination.server, classNames: names, answers: answers)
    return connection.checks
      + entities.flatMap { entity in
        ClassChecks(className: entity.name, answers: answers).checks
          + [FieldChecks(entity: entity, answers: answers).check].compactMap(\.self)
      }
      + CapabilityChecks(answers: answers).checks + [index.check].compactMap(\.self)
  }

  /// Writes what was asked for, after naming it; returns what it was.
  private func write(
    _ examination: ServerExamination, _ answers: inout ServerAnswers
  ) throws -> [String] {
    let names = examination.classNames
    // A server that refuses everything is not written to.
    guard names.contains(where: { if case .answer = answers.rows(of: $0) { true } else { false } })
    else { return [] }
    let index = IndexCheck(server: examination.server, classNames: names, answers: answers)
    var writes = ServerWrites(server: examination.server, indexes: [], hasProbeClass: false)
    if session.command.has(.makeIndex) { writes.indexes = index.makeable }
    if case .answer(let classes) = answers.indexes {
      writes.hasProbeClass = classes[ServerWrites.probeClass] != nil
    }
    for line in writes.announcements {
      console.warning("Will write to \(examination.server.url.absoluteString): \(line)")
    }
    try writes.run(session.transport, examination.cancellation, into: &answers)
    return writes.written(answers)
  }
}
