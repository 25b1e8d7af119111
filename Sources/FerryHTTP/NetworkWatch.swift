// Ferry: offline-first sync for Parse Server. MIT licence.

import Dispatch
import Foundation

#if canImport(Network)
  import Network
#endif

/// Notices that the device's network changes: an interface, an address or a route comes or goes.
package enum NetworkWatch {
  /// A new stream that signals each change from now on; several changes in a row may come as one.
  ///
  /// Where the system does not let a program watch, nothing is signalled.
  package static func changes() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      guard let end = watch({ continuation.yield() }) else { return }
      continuation.onTermination = { _ in end() }
    }
  }

  #if canImport(Network)
    private static func watch(
      _ changed: @escaping @Sendable () -> Void
    ) -> (@Sendable () -> Void)? {
      let monitor = NWPathMonitor()
      monitor.pathUpdateHandler = { _ in changed() }
      monitor.start(queue: DispatchQueue(label: "ferry.network"))
      return { monitor.cancel() }
    }
  #else
    /// Listens to the kernel's own messages; rtnetlink(7) and netlink(7) describe them.
    private static func watch(
      _ changed: @escaping @Sendable () -> Void
    ) -> (@Sendable () -> Void)? {
      let descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | closesAndDoesNotBlock, 0)
      guard descriptor >= 0 else { return nil }
      var address = NetlinkAddress()
      let isBound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<NetlinkAddress>.size)) == 0
        }
      }
      guard isBound else {
        close(descriptor)
        return nil
      }
      let source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: DispatchQueue(label: "ferry.network"))
      source.setEventHandler {
        // The messages do not matter, so lost ones do no harm.
        withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 8) { buffer in
          while recv(descriptor, buffer.baseAddress, buffer.count, 0) > 0 {}
        }
        changed()
      }
      source.setCancelHandler { close(descriptor) }
      source.activate()
      let held = Held(source: source)
      return { held.source.cancel() }
    }

    private static let closesAndDoesNotBlock =
      Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

    /// A source may be cancelled on any thread, although its type does not say so.
    private struct Held: @unchecked Sendable {
      let source: any DispatchSourceRead
    }

    /// `sockaddr_nl` of linux/netlink.h, which the toolchain's modules leave out.
    private struct NetlinkAddress {
      var family = sa_family_t(AF_NETLINK)
      var padding: UInt16 = 0
      var port: UInt32 = 0
      /// Links, addresses and routes: RTMGRP_LINK, _IPV4_IFADDR, _IPV4_ROUTE, _IPV6_IFADDR and _IPV6_ROUTE.
      var groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
    }
  #endif
}
