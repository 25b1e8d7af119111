// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The store's knowledge of new files that left, or may have left, for the server.
///
/// The names of new files hold the sums of their contents, so a name means one content. The values of fields name the files
/// that wait; this names what came of requests.
struct SentFiles: Codable, Equatable {
  /// Requests without an answer so far.
  struct Open: Codable, Equatable {
    /// When the request left that runs now, or that ran when the process ended.
    var begun: Timestamp?
    /// How many requests ended without an answer that says whether the server has kept the file.
    var lost = 0
    /// When the last of them did.
    var lastLost: Timestamp?
  }

  /// A file that the server has.
  struct Sent: Codable, Equatable {
    /// The name of the new file.
    var unsent: String
    /// The server's identity: another server does not have the file.
    var server: String
    var name: String
    var url: String
    var time: Timestamp
  }

  /// A file of the server whose place the app gave to another one, or cleared.
  struct Replaced: Codable, Equatable {
    var file: Sent
    /// When a sync noticed it; a later edit of the field makes it later.
    var time: Timestamp
  }

  /// How many sent files are remembered, and how many lost requests: of the former, no equal one is sent again, such as
  /// after an undo.
  static let mostSent = 200

  private(set) var open: [String: Open] = [:]
  /// The files that were sent last, oldest first.
  private(set) var sent: [Sent] = []
  /// Files that the server has, and that no row ever named: the app edited the field while the file was sent.
  private(set) var unnamed: [Sent] = []
  /// The files that this store has sent and its app has replaced, in fields whose replaced files leave the server, by name.
  private(set) var replaced: [String: Replaced]?
  /// The position up to which history was looked through for them.
  var lookedThrough: Int64?
  /// The identities that the server had before it moved; notes of single files still have them.
  private(set) var formerServers: [String]?
  /// For whom the run acted whose files the server did not take for want of a login; nil for none.
  private(set) var refusedParty: String?

  /// The server has another address, and the same files.
  mutating func move(from former: String, to server: String) {
    formerServers = (formerServers ?? []).filter { $0 != former && $0 != server } + [former]
    for place in sent.indices where sent[place].server == former { sent[place].server = server }
    for place in unnamed.indices where unnamed[place].server == former {
      unnamed[place].server = server
    }
    for (name, entry) in replaced ?? [:] where entry.file.server == former {
      replaced?[name]?.file.server = server
    }
  }

  /// Whether a note is about a file of the server, perhaps from before it moved.
  func isOf(_ server: String, _ file: Sent) -> Bool {
    file.server == server || formerServers?.contains(file.server) == true
  }

  /// The server's file for a new one; nil if it must be sent.
  func file(for unsent: File, on server: String) -> File? {
    sent.last { $0.unsent == unsent.name && $0.server == server }
      .map { File(name: $0.name, url: $0.url) }
  }

  /// A request is about to leave; one that a process left open has no answer any more.
  mutating func begin(_ unsent: File, at time: Timestamp) {
    if open[unsent.name]?.begun != nil { lose(unsent) }
    open[unsent.name, default: Open()].begun = time
  }

  /// No answer says whether the server has kept the file.
  mutating func lose(_ unsent: File) {
    guard var entry = open[unsent.name], let begun = entry.begun else { return }
    entry.lost += 1
    entry.lastLost = begun
    entry.begun = nil
    open[unsent.name] = entry
    forgetOldest()
  }

  /// Forgets the requests that were lost first, where there are too many.
  private mutating func forgetOldest() {
    let lost = open.filter { $0.value.begun == nil }
    guard lost.count > Self.mostSent else { return }
    let times = lost.mapValues { $0.lastLost ?? .earliest }
    let sorted = times.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    for (name, _) in sorted.dropLast(Self.mostSent) { open[name] = nil }
  }

  /// Forgets requests that were lost before a time: nobody can do more about their files.
  mutating func forgetLost(before time: Timestamp) {
    open = open.filter { $0.value.begun != nil || $0.value.lastLost ?? .latest >= time }
  }

  /// No request runs any more, so those without an answer are lost.
  mutating func endAll() {
    for (name, entry) in open where entry.begun != nil { lose(File(name: name)) }
  }

  /// The server takes no files of a party for want of a login; nil forgets that.
  mutating func refuse(party: String?) { refusedParty = party }

  /// The server certainly has not kept the file.
  mutating func fail(_ unsent: File) {
    open[unsent.name]?.begun = nil
    if open[unsent.name]?.lost == 0 { open[unsent.name] = nil }
  }

  /// The server keeps the file.
  ///
  /// - Parameters:
  ///   - unsent: The new file.
  ///   - file: The server's file.
  ///   - server: The server's identity.
  ///   - isNamed: Whether a row names it.
  ///   - time: The present time.
  mutating func succeed(
    _ unsent: File, as file: File, on server: String, isNamed: Bool, at time: Timestamp
  ) {
    fail(unsent)
    let new = Sent(
      unsent: unsent.name, server: server, name: file.name, url: file.url ?? "", time: time)
    guard isNamed else { return unnamed.append(new) }
    replaced?[file.name] = nil
    sent.removeAll { $0.unsent == unsent.name && $0.server == server }
    sent.append(new)
    sent = Array(sent.suffix(Self.mostSent))
  }

  /// The server has a file no more that was sent.
  mutating func forget(sent name: String, on server: String) {
    sent.removeAll { $0.name == name && $0.server == server }
  }

  /// The app has replaced a file.
  mutating func replace(_ file: Sent, at time: Timestamp) {
    replaced = (replaced ?? [:]).merging([file.name: Replaced(file: file, time: time)]) { $1 }
  }

  /// A replaced file is named again, or has left the server.
  mutating func forget(replaced name: String) {
    replaced?[name] = nil
    if replaced?.isEmpty == true { replaced = nil }
  }

  /// The server has a file no more that no row named.
  mutating func forget(unnamed name: String, on server: String) {
    unnamed.removeAll { $0.name == name && $0.server == server }
  }
}
