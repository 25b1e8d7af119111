// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryLive
import Foundation

/// `ferry doctor`: looks at a server and at this machine before a sync, and says what to do.
struct DoctorCommand {
  var session: Session

  private var console: Console { session.console }

  func run() async throws(Failure) -> ExitCode {
    let isWriting = session.command.has(.write)
    guard isWriting || !session.command.has(.makeIndex) else {
      throw Failure(
        usage: "--make-index writes to the server, so it needs --write too. Nothing was sent.")
    }
    session.interruption.watch()
    let configuration = try session.configuration()
    let keyFiles = configuration.keyFiles.map {
      KeyFile($0.key, path: $0.value, in: session.workspace.folder).file
    }
    let local = LocalChecks(session.workspace, keyFiles: keyFiles.sorted { $0.path < $1.path })
    // The checks include its warnings.
    let (server, hasSession) = try configuration.connection(in: session.workspace, warn: { _ in })
    let cancellation = CancellationSignal()
    session.interruption.onInterruption { cancellation.cancel() }
    let transport = WatchedTransport(session.transport)
    let examination = Examination(
      classNames: configuration.schema.entities.filter { $0.membership == nil }.map(\.name),
      hasSession: hasSession,
      timeout: try SyncOptions(flags: session.command).timeout, transport: transport,
      cancellation: cancellation)
    console.note("Looking at \(configuration.server.absoluteString)")
    let (findings, written) = try session.sayingSilence(of: transport) {
      () throws(Failure) in
      var findings = try examination.run(of: server)
      let written = isWriting ? try write(examination, &findings) : []
      return (findings, written)
    }
    let live = await liveFindings(of: server, configuration.schema, findings)
    let report = DoctorReport(
      server: configuration.server.absoluteString, applicationID: configuration.applicationID,
      checks: local.checks
        + [storeCheck(configuration, server, hasSession, findings)].compactMap(\.self)
        + checks(of: configuration.schema, findings)
        + [LiveCheck(classNames: examination.classNames, findings: live).check].compactMap(\.self),
      written: written)
    console.message(report.json)
    console.result(report.lines(width: console.facts.width).joined(separator: "\n"))
    return report.exitCode
  }

  /// The server's answers to live queries; nil where it answers nothing else either.
  private func liveFindings(
    of server: ParseServer, _ schema: Schema, _ findings: ServerExamination
  ) async -> LiveExamination? {
    guard findings.isParseServer,
      schema.entities.contains(where: { !$0.isOnDemand && $0.membership == nil })
    else { return nil }
    let limits = WebSocketLimits(connectTimeout: .seconds(5))
    return await LiveExamination.run(
      of: server, schema: schema, over: WebSocketClient(), limits: limits)
  }

  /// Opens the store as a sync would, without a change to it; nil if there is none yet.
  private func storeCheck(
    _ configuration: SyncConfiguration, _ server: ParseServer, _ hasSession: Bool,
    _ findings: ServerExamination
  ) -> Check? {
    guard session.hasStore else { return nil }
    do {
      let user = findings.syncUser(hasSession: hasSession)
      let refusal = try session.inspect(configuration, checksFile: true) {
        store throws(StoreError) in try store.refusal(of: server, asUser: user)
      }
      if let refusal = refusal ?? nil { return Check("store", failing: Failure(refusal)) }
      return Check("store", .ok, "The store can be read, and fits ferry.json.")
    } catch {
      return Check("store", failing: error)
    }
  }

  private func checks(
    of schema: Schema, _ findings: ServerExamination
  ) -> [Check] {
    // The server has no class for the members of a relation; the relation is a field of its owner.
    let entities = schema.entities.filter { $0.membership == nil }
    let names = entities.map(\.name)
    let connection = ConnectionChecks(
      classNames: names, allowsCleartext: session.command.has(.allowCleartext), findings: findings)
    let index = IndexCheck(
      classNames: names, findings: findings, isMaking: session.command.has(.makeIndex))
    return connection.checks
      + entities.flatMap { entity in
        ClassChecks(className: entity.name, findings: findings).checks
          + [FieldChecks(entity: entity, findings: findings).check].compactMap(\.self)
      }
      + CapabilityChecks(
        findings: findings, classNames: names, isWriting: session.command.has(.write)
      ).checks
      + [ModuleCheck(entities: entities, findings: findings).check, index.check].compactMap(\.self)
  }

  /// Writes what was asked for, after naming it; returns what it was.
  private func write(
    _ examination: Examination, _ findings: inout ServerExamination
  ) throws(Failure) -> [String] {
    let names = examination.classNames
    // A server that refuses everything is not written to.
    guard names.contains(where: findings.hasAnswered(rowsOf:)) else { return [] }
    let index = IndexCheck(classNames: names, findings: findings)
    var writes = ServerWrites(server: findings.server, indexes: [], hasProbeClass: false)
    if session.command.has(.makeIndex) { writes.indexes = index.makeable }
    if case .answer(let classes) = findings.indexes {
      writes.hasProbeClass = classes[ServerExamination.probeClass] != nil
    }
    for line in writes.announcements {
      console.announcement("Asking \(findings.server.url.absoluteString) to \(line)")
    }
    try writes.run(examination.transport, examination.cancellation, into: &findings)
    return writes.written(findings)
  }
}

extension ServerExamination {
  /// The user as whom a sync would run.
  fileprivate func syncUser(hasSession: Bool) -> SyncUser {
    guard hasSession else { return .nobody }
    return if case .answer(let userID) = user { .user(userID) } else { .unknown }
  }
}
