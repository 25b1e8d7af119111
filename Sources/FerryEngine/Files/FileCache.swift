// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
public import Foundation

/// The files on this device: those whose contents were fetched from a server, and new ones that no server has yet.
///
/// It only looks into the folder, and asks no server. Every fetched content can be fetched again, and a prune removes no
/// other.
///
/// ```swift
/// let cache = FileCache(at: folder.appending(path: "files"))
/// print(try cache.files.reduce(0) { $0 + $1.bytes }, "bytes")
/// try cache.prune(to: 100_000_000)
/// ```
///
/// Any thread and any process may use it, also while files are fetched.
public struct FileCache: Sendable {
  let folder: FileFolder

  /// Names the folder; it need not be there.
  ///
  /// - Parameter url: The folder `files` beside the folder `staging` of a coordinator.
  public init(at url: URL) { folder = FileFolder(url: url) }

  init(folder: FileFolder) { self.folder = folder }

  /// The files, the one that was used last first.
  ///
  /// - Throws: `FileError` with code `localStorage` if the folder cannot be read.
  public var files: [KeptFile] {
    get throws(FileError) {
      try folder.all().values.sorted { ($1.lastUse, $0.name) < ($0.lastUse, $1.name) }
    }
  }

  /// Removes the files that were not used for longest, until the rest is within a limit.
  ///
  /// The parts of interrupted downloads leave, too, whatever the limit is, except for one that a process writes.
  /// A file that is open stays readable for the program that has opened it. Contents that a sync has yet to send, or has sent
  /// lately, stay: their bytes would not be free. A later sync lets them go.
  ///
  /// - Parameter limit: The most bytes that may stay; 0 removes all. Equal contents count once.
  /// - Returns: The files that left.
  /// - Throws: `FileError` with code `localStorage` if the folder cannot be changed.
  @discardableResult
  public func prune(to limit: Int) throws(FileError) -> [KeptFile] {
    try prune(to: limit, keepingUsedSince: .latest, partsSince: .latest).left
  }

  /// Removes files beyond a limit, except for those that are in use, and what ended processes have left.
  ///
  /// - Returns: The files that left, and the bytes that stay.
  func prune(
    to limit: Int, keepingUsedSince time: Timestamp, partsSince partTime: Timestamp? = nil
  ) throws(FileError) -> (left: [KeptFile], bytes: Int) {
    let kept = try folder.all()
    let held = folder.unsentContents(before: .latest)
    let sums = Set(
      FileEviction.leaving(
        Array(kept.values), limit: max(limit, 0), protectedSince: time, held: held))
    let leaving = kept.filter { sums.contains($0.value.sha256) }
    let staying = kept.filter { !sums.contains($0.value.sha256) }
    try folder.remove(leaving)
    let strayTime = Timestamp.now.adding(milliseconds: -Self.strayAge)
    try folder.removeStrays(besides: staying, before: strayTime)
    try folder.removeParts(before: partTime ?? strayTime)
    let sizes = Dictionary(staying.values.map { ($0.sha256, $0.bytes) }) { first, _ in first }
    return (leaving.values.sorted { $0.name < $1.name }, sizes.values.reduce(0, +))
  }

  /// How old a part is that nobody goes on with: three days in milliseconds.
  private static let strayAge: Int64 = 3 * 86_400_000
}
