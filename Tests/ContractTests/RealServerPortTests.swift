// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// The script of the real server, when another program has its port.
struct RealServerPortTests {
  @Test(
    .enabled(
      if: RealServer.script != nil && RealServer.modules != nil, "no real server can be started"),
    .timeLimit(.minutes(2)))
  func `another server on the port is not taken for the one that starts`() async throws {
    let other = try LoopbackServer()
    let start = Process()
    let output = Pipe()
    start.executableURL = RealServer.folder.appending(path: "start")
    start.arguments = ["--port", String(other.port)]
    start.standardInput = FileHandle.nullDevice
    start.standardOutput = output
    start.standardError = FileHandle.nullDevice
    let printed = try await onOwnThread {
      try start.run()
      return try output.fileHandleForReading.readToEnd() ?? Data()
    }
    #expect(String(decoding: printed, as: UTF8.self) == "")
    start.waitUntilExit()
    #expect(start.terminationStatus == 70)
  }
}
