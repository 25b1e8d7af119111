// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Who gave which content to which field, and what the server's records had.
///
/// A content is known by its SHA-256, and a row by its title.
struct FileLedger {
  /// A content that the app of a device gave to a field, and that this app has not replaced since.
  struct Gift {
    var content: String
    /// How many contents the server's field had had before.
    var position: Int
  }

  /// Whether a device whose request has no answer may bring its content again, over one that came since.
  let localWins: Bool
  private(set) var gifts: [Int: [RowField: Gift]] = [:]
  /// How often an app or the client gave a content to a field.
  private var given: [RowField: [String: Int]] = [:]
  /// The contents that the server's field had, oldest first; nil for none.
  private var history: [RowField: [String?]] = [:]
  /// How often a request that was late changed a field: the device repeats what it then no longer finds.
  private var late: [RowField: Int] = [:]
  /// How often a content came to a field of a record that was there before.
  private var arrivals: [RowField: [String: Int]] = [:]

  init(localWins: Bool = false) { self.localWins = localWins }

  /// An app or the client gave a content.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - place: The field.
  ///   - device: The device of the app; nil for the client.
  ///   - isBack: Whether the value is one that the server had there, so that the edit may be none for the server.
  mutating func give(
    _ content: String, to place: RowField, by device: Int?, isBack: Bool = false
  ) {
    given[place, default: [:]][content, default: 0] += 1
    guard let device else { return }
    let had = history[place] ?? []
    let isThere = had.last == .some(content)
    gifts[device, default: [:]][place] = Gift(
      content: content, position: isBack ? 0 : isThere ? had.count - 1 : had.count)
  }

  /// An app replaced or cleared the content that it gave, or deleted the row.
  mutating func takeBack(_ place: RowField, by device: Int) { gifts[device]?[place] = nil }

  mutating func takeBack(row: String, by device: Int) {
    gifts[device] = gifts[device]?.filter { $0.key.row != row }
  }

  /// A record of the server has another content.
  ///
  /// - Parameters:
  ///   - content: The content; nil for none.
  ///   - place: The field.
  ///   - isNew: Whether the record was not there before.
  ///   - isLate: Whether a request brought it that was late.
  /// - Returns: The rule that it breaks.
  mutating func arrive(
    _ content: String?, at place: RowField, isNew: Bool, isLate: Bool
  ) -> Violation? {
    history[place, default: []].append(content)
    if isLate { late[place, default: 0] += 1 }
    guard let content else { return nil }
    guard let gifts = given[place]?[content] else {
      return Violation(.phantom, "\(place.row).\(place.field) got a content that nobody gave it")
    }
    guard !isNew, !localWins else { return nil }
    arrivals[place, default: [:]][content, default: 0] += 1
    let count = arrivals[place]?[content] ?? 0
    guard count <= gifts + (late[place] ?? 0) else {
      return Violation(
        .staleValue, "\(place.row).\(place.field) has a content again that was replaced")
    }
    return nil
  }

  /// Whether the server's field had a content that was given.
  func hasArrived(_ gift: Gift, at place: RowField) -> Bool {
    (history[place] ?? []).dropFirst(gift.position).contains(gift.content)
  }
}
