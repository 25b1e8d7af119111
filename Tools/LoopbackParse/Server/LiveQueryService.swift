// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Synchronization

/// The websockets of a server, and what goes over them.
final class LiveQueryService: Sendable {
  private struct State {
    var clients = LiveClients()
    var peers: [Int: WebSocketPeer] = [:]
    var lastNumber = 0
    var isStopped = false
  }

  private let state = Mutex(State())

  /// Serves a connection on a thread of its own.
  func serve(_ peer: WebSocketPeer, _ early: [UInt8], from core: ServerCore) {
    let number: Int? = state.withLock { state in
      guard !state.isStopped else { return nil }
      state.lastNumber += 1
      state.peers[state.lastNumber] = peer
      return state.lastNumber
    }
    // The server stops meanwhile.
    guard let number else { return peer.close() }
    Thread.detachNewThread { [self] in
      peer.run(early) { text in
        // The locks of both, always in this order.
        let answers = core.state.withLock { core in
          state.withLock { $0.clients.answer(text, of: number, in: core.backend) }
        }
        for answer in answers { peer.send(WebSocketFrame(answer)) }
      }
      state.withLock { state in
        state.peers[number] = nil
        state.clients.remove(number)
      }
    }
  }

  /// The messages about the changes that a backend has kept; it keeps them no longer.
  func events(of backend: inout LoopbackBackend) -> [LiveClients.Message] {
    guard !backend.liveChanges.isEmpty else { return [] }
    defer { backend.liveChanges = [] }
    return state.withLock { $0.clients.events(backend.liveChanges, in: backend) }
  }

  /// Sends each text to its client.
  func send(_ messages: [LiveClients.Message]) {
    guard !messages.isEmpty else { return }
    let peers = state.withLock(\.peers)
    for message in messages { peers[message.client]?.send(WebSocketFrame(message.text)) }
  }

  /// Sends bytes to all clients, such as no Parse Server would send.
  func broadcast(_ bytes: [UInt8]) {
    for peer in state.withLock({ Array($0.peers.values) }) { peer.send(bytes) }
  }

  /// How many clients are connected.
  var count: Int { state.withLock { $0.peers.count } }

  /// Ends all connections.
  func close() {
    for peer in state.withLock({ Array($0.peers.values) }) { peer.close() }
  }

  /// Ends all connections, and each one that comes later.
  func stop() {
    state.withLock { $0.isStopped = true }
    close()
  }
}
