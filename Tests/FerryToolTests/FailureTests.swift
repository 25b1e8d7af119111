// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore
import Foundation
import Testing

@testable import FerryTool

@Suite(.timeLimit(.minutes(10)))
struct FailureTests {
  @Test(
    arguments: [
      (.unreachable, 69), (.tryAgain, 75), (.busy, 75), (.loginNeeded, 77), (.unauthorized, 77),
      (.otherUser, 77), (.notParseServer, 76), (.wrongURL, 76), (.malformedData, 65),
      (.localStorage, 74), (.diskFull, 74), (.otherServer, 78), (.configuration, 78),
      (.cancelled, 130),
      (.internalError, 70), (.init(rawValue: "of-a-later-version"), 1),
    ] as [(SyncError.Code, Int32)])
  func `the exit code of a stopped run gives the reason`(code: SyncError.Code, expected: Int32) {
    let failure = Failure(SyncError(code, "A sentence."))
    #expect(failure.exitCode.rawValue == expected)
    #expect(failure.name == code.rawValue)
    #expect(failure.message == "A sentence.")
  }

  @Test(
    arguments: [
      (.busy, 75), (.damaged, 74), (.newerFormat, 74), (.diskFull, 74), (.notAccessible, 74),
      (.database, 74), (.invalidSchema, 78), (.unknownClass, 78), (.historyPruned, 74),
      (.cannotUndo, 64), (.cannotDiscard, 64),
    ] as [(StoreError.Code, Int32)])
  func `a store error has the same exit code inside a run`(code: StoreError.Code, expected: Int32) {
    let error = StoreError(code, "A sentence.")
    #expect(Failure(error).exitCode.rawValue == expected)
    let run = SyncError(.localStorage, "A sentence.", cause: error)
    #expect(Failure(run).exitCode.rawValue == expected)
    #expect(Failure(run).name == code.rawValue)
  }

  @Test(
    arguments: [
      (.couldNotResolve, 69), (.couldNotConnect, 69), (.tls, 69), (.timeout, 75),
      (.cleartextRefused, 78), (.invalidURL, 78), (.redirectRefused, 76), (.protocolError, 76),
      (.cancelled, 130),
    ] as [(HTTPError.Code, Int32)])
  func `the exit code of an exchange without a response gives the reason`(
    code: HTTPError.Code, expected: Int32
  ) {
    let error = HTTPError(code, outcome: .notSent, message: "A sentence.")
    #expect(Failure(error).exitCode.rawValue == expected)
  }

  @Test(
    arguments: [
      (.loginNeeded, 77), (.unauthorized, 77), (.refused, 77), (.notFoundOrForbidden, 77),
      (.wrongURL, 76), (.notParse, 76), (.malformed, 65), (.rateLimited, 75),
      (.failed, 75),
    ] as [(RefusalMeaning, Int32)])
  func `the exit code of a refusal names the refusing part`(
    meaning: RefusalMeaning, expected: Int32
  ) {
    let error = ParseError(status: 400, meaning: meaning)
    #expect(Failure(error).exitCode.rawValue == expected)
  }

  @Test func `the last line of JSON contains the exit code`() {
    let failure = Failure(.tryAgain, "busy", "Another process says \"no\".")
    #expect(
      failure.json.line
        == #"{"message_type":"exit_error","code":75,"name":"busy","#
        + #""message":"Another process says \"no\"."}"#)
  }

  @Test func `the exit code of a finished run shows the remaining problems`() {
    var report = SyncReport()
    #expect(ExitCode(report) == .success)
    report.classes["Game"] = SyncReport.Counts()
    report.classes["Game"]?.parked = 1
    #expect(ExitCode(report) == .partial)
    report.guarded = [
      GuardedRemoval(className: "Game", side: .local, count: 5, total: 6, confirmation: "x")
    ]
    #expect(ExitCode(report) == .deleteGuard)
  }

  @Test func `the exit code of a plan shows pending actions on request`() {
    var report = SyncReport()
    let action = SyncAction(.post, in: .postCreated, className: "Game")
    #expect(ExitCode(SyncPlan(actions: [], report: report), tellsPending: true) == .success)
    #expect(ExitCode(SyncPlan(actions: [action], report: report), tellsPending: false) == .success)
    #expect(
      ExitCode(SyncPlan(actions: [action], report: report), tellsPending: true) == .changesPending)
    var left = SyncReport.Remainder()
    left.parked = 1
    report.remaining["Game"] = left
    #expect(ExitCode(report) == .partial)
    #expect(ExitCode(SyncPlan(actions: [], report: report), tellsPending: true) == .partial)
    #expect(ExitCode(SyncPlan(actions: [], report: report), tellsPending: false) == .success)
    #expect(
      ExitCode(SyncPlan(actions: [action], report: report), tellsPending: true) == .changesPending)
    for code in [SyncNotice.Code.classFailed, .loginNeeded] {
      report.notices = [SyncNotice(code, className: "Game", "It failed.")]
      #expect(ExitCode(SyncPlan(actions: [action], report: report), tellsPending: true) == .partial)
    }
  }
}
