// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import Foundation
import Testing

/// Changes of the machine's network.
@Suite(.timeLimit(.minutes(1))) struct NetworkWatchTests {
  #if os(Linux)
    @Test func `a new address is noticed, and a watch that ends leaves no descriptor`() async throws
    {
      // The first watch also opens what the system's queues keep.
      guard await Self.noticesAddress() else { return }
      let before = try descriptors()
      #expect(await Self.noticesAddress())
      let end = ContinuousClock.now + .seconds(20)
      while try descriptors() > before, ContinuousClock.now < end {
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(try descriptors() <= before)
    }

    /// Watches until a new address is noticed; false where the test may not add one.
    private static func noticesAddress() async -> Bool {
      let changes = NetworkWatch.changes()
      guard addAddress() else { return false }
      for await _ in changes { break }
      return true
    }

    private func descriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// Gives the loopback interface another address under the name `lo:1`, and takes it back.
    ///
    /// - Returns: False where the test may not do that.
    private static func addAddress() -> Bool {
      let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
      defer { close(descriptor) }
      var request = ifreq()
      withUnsafeMutableBytes(of: &request) { bytes in
        bytes.copyBytes(from: Array("lo:9".utf8))
        bytes.storeBytes(
          of: sa_family_t(AF_INET), toByteOffset: Int(IFNAMSIZ), as: sa_family_t.self)
        bytes[Int(IFNAMSIZ) + 4] = 127
        bytes[Int(IFNAMSIZ) + 5] = 99
        bytes[Int(IFNAMSIZ) + 7] = 9
      }
      guard ioctl(descriptor, UInt(SIOCSIFADDR), &request) == 0 else { return false }
      withUnsafeMutableBytes(of: &request) { bytes in
        bytes.storeBytes(of: Int16(0), toByteOffset: Int(IFNAMSIZ), as: Int16.self)
      }
      _ = ioctl(descriptor, UInt(SIOCSIFFLAGS), &request)
      return true
    }
  #endif
}
