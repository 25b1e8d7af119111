// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryPlanning
import Foundation

/// Each event, request and answer of a play, and each device after its syncs: for the search for a cause.
final class Chronicle {
  private(set) var lines: [String] = []
  /// Whether lines are kept; most plays need none.
  var isKept = false

  func note(_ line: @autoclosure () -> String) {
    if isKept { lines.append(line()) }
  }

  /// Notes a request of a device.
  func note(_ request: HTTPRequest, from device: String) {
    note(
      "  \(device) -> \(request.method.rawValue) \(request.url.path(percentEncoded: false)) "
        + String(decoding: request.body, as: UTF8.self))
  }

  /// Notes what a device got for its request.
  func note(_ result: Result<HTTPResponse, HTTPError>, to device: String) {
    switch result {
    case .success(let response):
      note("  \(device) <- \(response.status) \(String(decoding: response.body, as: UTF8.self))")
    case .failure(let error): note("  \(device) <- \(error.code.rawValue)")
    }
  }

  /// Notes what a device holds.
  func note(_ view: DeviceView, _ identities: Identities) {
    guard isKept else { return }
    for row in view.rows {
      let fields = row.fields.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)" }
      lines.append("  \(view.device) holds \(row.name): \(fields.joined(separator: ", "))")
    }
    for entry in view.pending {
      lines.append(
        "  \(view.device) waits with \(entry.kind) \(view.name(of: entry, identities)) "
          + "\(entry.objectID), \(entry.state), changed \(entry.changed.sorted())")
    }
    for lost in view.lost {
      lines.append("  \(view.device) lost \(lost.row).\(lost.field) \(lost.content.text)")
    }
  }
}
