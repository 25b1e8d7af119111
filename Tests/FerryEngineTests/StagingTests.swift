// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Foundation
import Synchronization
import Testing

@testable import FerryEngine
@testable import FerryPlanning

@Suite(.timeLimit(.minutes(5)))
struct StagingTests {
  private let place: TemporaryDirectory
  private var folder: URL { place.url.appending(path: "staging") }

  init() throws { place = try TemporaryDirectory() }

  private static let listing = Listing(
    id: "a1", className: "Game", fingerprint: "f1", uploadSequence: 3,
    startedAt: Timestamp(milliseconds: 1_700_000_000_000), source: "http://127.0.0.1/parse#app1",
    keys: ["score", "title"])

  private static func key(_ number: Int) -> ListingKey {
    ListingKey(updatedAt: Timestamp(milliseconds: Int64(number) * 1000), objectID: "o\(number)")
  }

  private static func page(_ number: Int) -> Data {
    Data(#"{"results":[{"objectId":"o\#(number)","title":"Final é"}]}"#.utf8)
  }

  /// Writes pages like a download that continues from the staged ones.
  private static func download(_ pages: Int, into area: StagingArea) throws {
    var staged = try area.listing(of: "Game") ?? area.begin(listing)
    if staged.segments.isEmpty {
      staged.open(ListingSegment(number: 1, from: nil, serverTimeLowerBound: nil))
    }
    while staged.lastPage < pages {
      let number = staged.lastPage + 1
      try area.add(page(number), records: 1, last: key(number), isWalk: false, to: &staged)
    }
    if !staged.isComplete {
      let cursor = DownloadCursor(serverTimeLowerBound: staged.newest, newest: staged.newest)
      staged.complete(ListingEnd(cursor: cursor, isCounted: true, coversClass: true))
    }
    try area.save(&staged)
  }

  private func names(in className: String = "Game") throws -> [String] {
    try StagingFiles().names(in: folder.appending(path: className))
  }

  @Test func `a staging folder describes its contents in plain words`() throws {
    let area = try StagingArea(folder: folder)
    try Self.download(2, into: area)
    let text = try String(
      contentsOf: folder.appending(path: "Game/manifest.jsonl"), encoding: .utf8)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(
      lines.first == """
        {"listing":{"className":"Game","fingerprint":"f1","id":"a1","keys":["score","title"],\
        "source":"http://127.0.0.1/parse#app1","startedAt":"2023-11-14T22:13:20.000Z",\
        "uploadSequence":3}}
        """)
    #expect(lines.count == 5)
    #expect(lines[2].hasPrefix(#"{"page":{"bytes":50,"checksum":""#))
    #expect(try names() == ["manifest.jsonl", "page-000001.json", "page-000002.json"])
    let staged = try #require(try area.listing(of: "Game"))
    #expect(staged.isComplete && staged.lastPage == 2 && staged.recordCount == 2)
    #expect(try staged.pages(after: 1).map { try $0.contents().get() } == [Self.page(2)])
    #expect(try area.listings() == [staged])
  }

  @Test(arguments: [false, true])
  func `a listing without pages reaches the disk only for a later run`(importsAtOnce: Bool) throws {
    let area = try StagingArea(
      folder: folder, files: StagingFiles(), importsAtOnce: importsAtOnce)
    try Self.download(0, into: area)
    let staged = try #require(try area.listing(of: "Game"))
    #expect(staged.isComplete && staged.lastPage == 0)
    #expect(
      try StagingArea(folder: folder).listing(of: "Game")?.isComplete
        == (importsAtOnce ? nil : true))
    #expect(try names().isEmpty == importsAtOnce)
    try area.discard("Game")
    #expect(try area.listing(of: "Game") == nil)
  }

  @Test func `a listing that goes on with a page reaches the disk`() throws {
    let area = try StagingArea(folder: folder, files: StagingFiles(), importsAtOnce: true)
    try Self.download(0, into: area)
    var staged = try #require(try area.listing(of: "Game"))
    staged.open(ListingSegment(number: 2, from: nil, serverTimeLowerBound: nil))
    try area.add(Self.page(1), records: 1, last: Self.key(1), isWalk: false, to: &staged)
    try area.save(&staged)
    let read = try #require(try StagingArea(folder: folder).listing(of: "Game"))
    #expect(read == staged && read.lastPage == 1 && read.segments.count == 2)
    #expect(try area.listing(of: "Game") == staged)
  }

  @Test func `all staged files are private whatever the umask`() throws {
    let before = umask(0)
    defer { umask(before) }
    try Self.download(1, into: StagingArea(folder: folder))
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(
        atPath: folder.appending(path: path).path(percentEncoded: false))[.posixPermissions] as? Int
    }
    #expect(try mode("") == 0o700)
    #expect(try mode("Game") == 0o700)
    #expect(try mode("Game/manifest.jsonl") == 0o600)
    #expect(try mode("Game/page-000001.json") == 0o600)
  }

  private struct Killed: Error {
    var error: SyncError { SyncError(.localStorage, "The process ends here.", cause: self) }
  }

  /// Files that stop changing after that many changes, as if the process ended there.
  private static func files(changes: Int) -> StagingFiles {
    let left = Mutex(changes)
    return StagingFiles { _ throws(SyncError) in
      try left.withLock { left throws(SyncError) in
        guard left > 0 else { throw Killed().error }
        left -= 1
      }
    }
  }

  /// False if the process ended before the body did.
  private static func survives(_ body: () throws -> Void) throws -> Bool {
    do {
      try body()
      return true
    } catch let error as SyncError where error.cause is Killed {
      return false
    }
  }

  @Test func `staging resumes from whole pages after a kill at any file operation`() throws {
    var changes = 0
    var isDone = false
    while !isDone {
      try? FileManager.default.removeItem(at: folder)
      isDone = try Self.survives {
        try Self.download(3, into: StagingArea(folder: folder, files: Self.files(changes: changes)))
      }
      let area = try StagingArea(folder: folder)
      for page in try area.listing(of: "Game")?.pages(after: 0) ?? [] {
        #expect(try page.contents().get() == Self.page(page.number))
      }
      try Self.download(3, into: area)
      let staged = try #require(try area.listing(of: "Game"))
      #expect(try staged.pages(after: 0).map { try $0.contents().get() } == (1...3).map(Self.page))
      #expect(staged.isComplete && staged.isIntact(after: 0))
      #expect(try names().count == 4)
      changes += 1
    }
    #expect(changes > 15)
  }

  @Test func `staging is empty after a kill during discarding`() throws {
    var isDone = false
    var changes = 0
    while !isDone {
      changes += 1
      try Self.download(3, into: StagingArea(folder: folder))
      isDone = try Self.survives {
        try StagingArea(folder: folder, files: Self.files(changes: changes)).discard("Game")
      }
      let area = try StagingArea(folder: folder)
      if let staged = try area.listing(of: "Game") { #expect(staged.isIntact(after: 0)) }
      try area.discard("Game")
      #expect(try StagingFiles().names(in: folder).isEmpty)
    }
  }

  @Test func `a manifest torn at any byte loses only its last line`() throws {
    let area = try StagingArea(folder: folder)
    try Self.download(2, into: area)
    let manifest = folder.appending(path: "Game/manifest.jsonl")
    let whole = try Data(contentsOf: manifest)
    for length in 0...whole.count {
      try StagingFiles().write(whole.prefix(length), to: manifest)
      let lines = whole.prefix(length).count { $0 == UInt8(ascii: "\n") }
      let staged = try area.listing(of: "Game")
      #expect(staged?.lastPage ?? 0 == min(max(lines - 2, 0), 2))
      try Self.download(2, into: area)
      #expect(try Data(contentsOf: manifest) == whole)
    }
  }

  @Test(arguments: ["flip", "cut", "remove"])
  func `staging detects a damaged page`(_ damage: String) throws {
    let area = try StagingArea(folder: folder)
    try Self.download(2, into: area)
    let file = folder.appending(path: "Game/page-000002.json")
    var bytes = try Data(contentsOf: file)
    switch damage {
    case "flip": bytes[20] ^= 1
    default: bytes.removeLast()
    }
    try StagingFiles().remove(file)
    if damage != "remove" { try StagingFiles().write(bytes, to: file) }
    let staged = try #require(try area.listing(of: "Game"))
    #expect(throws: Never.self) { try staged.pages(after: 0).first?.contents().get() }
    #expect(throws: StagedPageDamage.self) { try staged.pages(after: 1).first?.contents().get() }
    #expect(staged.isIntact(after: 0) == (damage == "flip"))
    #expect(staged.isIntact(after: 2))
  }

  @Test func `a manifest with a gap is not read as a listing`() throws {
    let area = try StagingArea(folder: folder)
    try Self.download(3, into: area)
    let manifest = folder.appending(path: "Game/manifest.jsonl")
    var lines = try String(contentsOf: manifest, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    lines.remove(at: 3)
    try StagingFiles().write(Data(lines.joined(separator: "\n").utf8), to: manifest)
    #expect(try area.listing(of: "Game") == nil)
  }

  @Test(arguments: ["9223372036854775807", "-1", "51"])
  func `a manifest with more records than its pages can have is not read as a listing`(
    _ records: String
  ) throws {
    let area = try StagingArea(folder: folder)
    try Self.download(2, into: area)
    let manifest = folder.appending(path: "Game/manifest.jsonl")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    let altered = text.replacing(#""records":1"#, with: #""records":\#(records)"#)
    try StagingFiles().write(Data(altered.utf8), to: manifest)
    #expect(try area.listing(of: "Game")?.recordCount == nil)
  }

  @Test(arguments: [
    "", ".", "..", "../x", "a/b", "a\u{0}b", "-rf", "9a", "a:b", "Spiel\u{202E}", "a.b", "_",
    String(repeating: "a", count: 300),
  ])
  func `staging refuses names that are no class names`(_ name: String) throws {
    let area = try StagingArea(folder: folder)
    #expect(throws: SyncError.self) { try area.listing(of: name) }
    #expect(throws: SyncError.self) { try area.discard(name) }
    var listing = Self.listing
    listing.className = name
    #expect(throws: SyncError.self) { try area.begin(listing) }
    #expect(try StagingFiles().names(in: place.url) == ["staging"])
  }

  @Test func `a listing continues after its imported pages are removed`() throws {
    let area = try StagingArea(folder: folder)
    try Self.download(2, into: area)
    var staged = try #require(try area.listing(of: "Game"))
    try area.removePages(after: 0, through: 2, of: staged)
    staged.open(ListingSegment(number: 2, from: staged.newest))
    #expect(!staged.isComplete && staged.pagesOfSegment.isEmpty)
    try area.add(Self.page(3), records: 1, last: Self.key(3), isWalk: true, to: &staged)
    try area.save(&staged)
    let read = try #require(try area.listing(of: "Game"))
    #expect(read == staged)
    #expect(try names() == ["manifest.jsonl", "page-000003.json"])
    #expect(read.isIntact(after: 2) && !read.isIntact(after: 1))
    #expect(read.pagesOfSegment.last?.isWalk == true && read.newest == Self.key(3).updatedAt)
  }

  @Test func `a clone shares no mutable file and disappears with its owner`() throws {
    let area = try StagingArea(folder: folder)
    try Self.download(2, into: area)
    let manifest = folder.appending(path: "Game/manifest.jsonl")
    let before = try Data(contentsOf: manifest)
    var clone: StagingArea? = try area.clone(in: place.url)
    let copy = try #require(clone).folder
    var staged = try #require(try clone?.listing(of: "Game"))
    #expect(try staged.pages(after: 0).map { try $0.contents().get() } == (1...2).map(Self.page))
    staged.open(ListingSegment(number: 2, from: nil))
    try clone?.add(Self.page(3), records: 1, last: Self.key(3), isWalk: false, to: &staged)
    try clone?.save(&staged)
    try clone?.removePages(after: 0, through: 1, of: staged)
    #expect(try Data(contentsOf: manifest) == before)
    #expect(try area.listing(of: "Game")?.isIntact(after: 0) == true)
    clone = nil
    #expect(!FileManager.default.fileExists(atPath: copy.path(percentEncoded: false)))
  }

  @Test func `a disk error is reported in a full sentence`() throws {
    let file = place.url.appending(path: "file")
    try Data("x".utf8).write(to: file)
    let error = #expect(throws: SyncError.self) {
      try StagingArea(folder: file.appending(path: "staging"))
    }
    #expect(error?.code == .localStorage)
    let full = SyncError.staging(
      "write", URL(filePath: "/s/Game/page-000001.json"), cause: POSIXError(.ENOSPC))
    #expect(
      full.message == """
        Ferry could not write /s/Game/page-000001.json: No space left on device. No row was changed by \
        it, and what was staged before is kept. Make room on the disk, then sync again.
        """)
  }

  @Test func `checksums detect one changed bit and a changed length`() {
    let bytes = Data((0..<100).map { UInt8($0) })
    var seen = Set([Checksum.text(of: bytes)])
    for index in bytes.indices {
      for bit in 0..<8 {
        var other = bytes
        other[index] ^= 1 << bit
        #expect(seen.insert(Checksum.text(of: other)).inserted)
      }
      #expect(seen.insert(Checksum.text(of: bytes.prefix(index))).inserted)
    }
    #expect(seen.allSatisfy { $0.count == 16 })
  }
}
