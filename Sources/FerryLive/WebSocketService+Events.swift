// Ferry: offline-first sync for Parse Server. MIT licence.

import CWebSockets
import FerryHTTP
import Foundation

extension WebSocketService {
  /// Takes an event of the library; another answer than 0 ends the connection.
  func take(
    _ event: lws_callback_reasons, _ bytes: UnsafeRawBufferPointer, on socket: OpaquePointer
  ) -> Int32 {
    switch event {
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
      connection.report(.opened)
    case LWS_CALLBACK_CLIENT_RECEIVE:
      return receive(bytes, on: socket)
    case LWS_CALLBACK_CLIENT_WRITEABLE:
      return write(on: socket)
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
      if connection.hasText { askToWrite() }
    case LWS_CALLBACK_CLIENT_HTTP_REDIRECT:
      end("The server answered with a redirect, and the app's keys go to no other address.")
      return -1
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
      end(Self.reason(String(decoding: bytes.prefix(200), as: UTF8.self)))
    case LWS_CALLBACK_CLIENT_CLOSED:
      end(
        "The connection was closed, or the server was silent for \(limits.silence.components.seconds) s."
      )
    default:
      break
    }
    return 0
  }

  /// The library's words for a connection that never came, in ours.
  private static func reason(_ words: String) -> String {
    if words.contains("SSL") || words.contains("tls") {
      return
        "The server's certificate is not valid for this address, or its encryption is too old (\(words))."
    }
    return words.contains("not 101")
      ? "There is no websocket: the server's live queries are off, or have another address (\(words))."
      : "The server cannot be reached (\(words))."
  }

  /// Joins the parts of a message.
  private func receive(_ bytes: UnsafeRawBufferPointer, on socket: OpaquePointer) -> Int32 {
    guard message.count + bytes.count <= limits.messageBytes else {
      end("The server sent a message of more than \(limits.messageBytes) bytes.")
      return -1
    }
    message.append(contentsOf: bytes)
    guard lws_is_final_fragment(socket) != 0, lws_remaining_packet_payload(socket) == 0 else {
      return 0
    }
    guard connection.report(.text(message)) else {
      end("The server sent more than \(limits.waitingMessages) messages that nobody had read.")
      return -1
    }
    message = Data()
    return 0
  }

  /// Sends one text; the library takes one at a time.
  private func write(on socket: OpaquePointer) -> Int32 {
    let (text, hasMore) = connection.nextText()
    guard let text else { return 0 }
    let room = Int(ferry_lws_room_before_message)
    var bytes = [UInt8](repeating: 0, count: room)
    bytes.append(contentsOf: text.utf8)
    let count = bytes.count - room
    let sent = bytes.withUnsafeMutableBufferPointer { bytes in
      lws_write(socket, bytes.baseAddress.map { $0 + room }, count, LWS_WRITE_TEXT)
    }
    guard sent >= count else {
      end("The connection was lost while it sent.")
      return -1
    }
    if hasMore { askToWrite() }
    return 0
  }
}
