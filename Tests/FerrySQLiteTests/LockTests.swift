// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore
import Foundation
import Testing

@testable import FerrySQLite

@Suite(.timeLimit(.minutes(1)))
struct LockTests {
  /// Starts another process that tries to take the lock, and holds it while its input is open.
  private func start(_ arguments: [String], input: Pipe? = nil) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/flock")
    process.arguments = arguments
    process.standardInput = input ?? FileHandle.nullDevice
    try process.run()
    return process
  }

  @Test func `a second sync in the same process is refused at once`() throws {
    let world = try TestWorld()
    let other = try world.reopened()
    let lock = try world.store.lockForSync()
    let error = expectStoreError(.busy) { try other.lockForSync() }
    #expect(error?.message.contains("process \(getpid())") == true, "\(error?.message ?? "")")
    expectStoreError(.busy) { try world.store.lockForSync() }
    lock.release()
    let next = try other.lockForSync()
    next.release()
    next.release()
  }

  @Test func `a lock that is let go is free`() throws {
    let world = try TestWorld()
    do { _ = try world.store.lockForSync() }
    _ = try world.store.lockForSync()
  }

  /// From its fork to its exec, a child process shares the files that its parent has open.
  @Test func `a lock that is let go is free while a child is being started`() throws {
    let world = try TestWorld()
    let lock = try world.store.lockForSync()
    let open = try #require(Self.openFile(at: world.store.files.lock))
    let inherited = dup(open)
    defer { close(inherited) }
    lock.release()
    try world.reopened().lockForSync().release()
  }

  private static func openFile(at path: String) -> Int32? {
    let resolved = URL(filePath: path).resolvingSymlinksInPath().path
    return (0..<Int32(1024)).first {
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      return target == resolved
    }
  }

  @Test func `another process is kept out`() throws {
    let world = try TestWorld()
    let lock = try world.store.lockForSync()
    let refused = try start(["-n", world.store.files.lock, "true"])
    refused.waitUntilExit()
    #expect(refused.terminationStatus == 1)
    lock.release()
    let admitted = try start(["-n", world.store.files.lock, "true"])
    admitted.waitUntilExit()
    #expect(admitted.terminationStatus == 0)
  }

  @Test func `another process keeps this one out until it dies`() async throws {
    let world = try TestWorld()
    let input = Pipe()
    // The shell is replaced by cat, so that only cat holds the lock when it is killed. It waits for the lock, because
    // the loop below has it now and then.
    let process = try start(["--no-fork", world.store.files.lock, "cat"], input: input)
    while (try? world.store.lockForSync()) != nil { try await Task.sleep(for: .milliseconds(5)) }
    expectStoreError(.busy) { try world.store.lockForSync() }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try world.store.lockForSync().release()
    try input.fileHandleForWriting.close()
  }
}
