// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

extension NoteList.Line {
  /// The note in a line, with its number and what a person should know about it.
  var text: String {
    let waiting = isRefused.map { $0 ? "refused: type unsent" : "unsent" }
    let marks = [folder.map { "in \($0)" }, sharing, waiting].compactMap(\.self)
    let number = String(repeating: " ", count: max(4 - "\(note.id)".count, 0)) + "\(note.id)"
    return
      "\(number) \(note.isDone == true ? "✓" : "·") \(note.text ?? "")   (\(marks.joined(separator: ", ")))"
  }

  private var sharing: String {
    if access?[.everyone].contains(.read) == true { return "everyone reads" }
    return (access?.rights.count ?? 0) > 1 ? "shared" : "private"
  }
}

extension SyncState {
  /// The status line.
  func text(isLoggedIn: Bool) -> String {
    var parts = [unsent == 0 ? "all sent" : "\(unsent) unsent"]
    if parked > 0 { parts.append("\(parked) refused: type unsent") }
    if conflicts > 0 { parts.append("\(conflicts) in conflict: type conflicts") }
    if !isLoggedIn { parts.append("not logged in: notes stay on this device") }
    parts.append(present)
    return parts.joined(separator: " · ")
  }

  private var present: String {
    switch activity {
    case .syncing(let progress): "syncing \(progress?.className ?? "")"
    case .waiting(let time, let failure): "\(failure.words) · next try \(Self.clock(time))"
    case .paused(let failure): failure.words
    default: lastFailure?.words ?? lastSuccess.map { "synced \(Self.clock($0))" } ?? "never synced"
    }
  }

  private static func clock(_ time: Timestamp) -> String {
    time.date.formatted(date: .omitted, time: .standard)
  }
}

extension SyncState.Failure {
  fileprivate var words: String {
    code == .unreachable ? "offline" : code == .loginNeeded ? "log in to sync" : message
  }
}
