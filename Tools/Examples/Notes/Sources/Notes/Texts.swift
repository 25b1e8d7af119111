// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

extension NoteList.Line {
  /// The note in a line, with its number and what a person should know about it; the text is cut to the width.
  func text(in width: Int = .max) -> String {
    let waiting = isRefused.map { $0 ? "refused: type unsent" : "unsent" }
    let marks = [folder.map { "in \($0.cut(to: 20))" }, sharing, waiting].compactMap(\.self)
    let end = "   (\(marks.joined(separator: ", ")))"
    let number = String(repeating: " ", count: max(4 - "\(note.id)".count, 0)) + "\(note.id)"
    let begin = "\(number) \(note.isDone == true ? "✓" : "·") "
    let room = max(width - begin.count - end.count, 8)
    return begin + (note.text ?? "").replacing("\n", with: " ").cut(to: room) + end
  }

  private var sharing: String {
    if access?[.everyone].contains(.read) == true { return "everyone reads" }
    return (access?.rights.count ?? 0) > 1 ? "shared" : "private"
  }
}

extension UndoResult {
  var text: String {
    let left = kept.map { " One \($0.edit.kind) stays: \($0.reason.rawValue)." }.joined()
    return "Undone: \("change".counted(undone.count)).\(left)"
  }
}

extension SyncState {
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
    case .waiting(let time, let failure): "\(Self.words(failure)) · next try \(Self.clock(time))"
    case .paused(let failure): Self.words(failure)
    default: lastSuccess.map { "synced \(Self.clock($0))" } ?? "never synced"
    }
  }

  private static func clock(_ time: Timestamp) -> String {
    time.date.formatted(date: .omitted, time: .standard)
  }

  private static func words(_ failure: Failure) -> String {
    [.unreachable: "offline", .loginNeeded: "log in to sync"][failure.code] ?? failure.message
  }
}
