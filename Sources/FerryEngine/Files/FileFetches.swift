// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import Foundation
import Synchronization

/// The downloads of files that are under way, one for each file, and the room that all files may take.
final class FileFetches: Sendable {
  let folder: FileFolder
  private let server: ParseServer
  private let transport: any HTTPTransport
  private let terms: FileTerms
  private let environment: SyncEnvironment
  private let queue = OperationQueue()
  /// Writes the contents that the app gives; a download does not keep them waiting.
  private let keeping = OperationQueue()
  private let jobs = Mutex<[String: FileJob]>([:])
  /// The bytes that are kept, as far as this process knows; nil before the first look.
  private let size = Mutex<Int?>(nil)

  private let completions = Mutex(0)

  /// How many downloads have come to their end.
  var completionCount: Int { completions.withLock { $0 } }

  init(
    folder: FileFolder, server: ParseServer, transport: any HTTPTransport, terms: FileTerms,
    environment: SyncEnvironment
  ) {
    self.folder = folder
    self.server = server
    self.transport = transport
    self.terms = terms
    self.environment = environment
    queue.name = "Ferry.Files"
    queue.maxConcurrentOperationCount = 4
    keeping.name = "Ferry.NewFiles"
  }

  /// The file if its content is here, which then counts as used.
  func kept(_ file: File) -> KeptFile? {
    if let unsent = file.unsent { return folder.kept(unsent) }
    let key = key(of: file)
    guard var kept = folder.kept(key) else { return nil }
    kept.lastUse = environment.now()
    folder.touch(key, at: kept.lastUse)
    return kept
  }

  /// Whether the content of a file is here, or no server has it; it does not count as used.
  func isHere(_ file: File) -> Bool { file.isUnsent || folder.kept(key(of: file)) != nil }

  /// Whether a content may come that nobody asked for yet: it must not take the place of one that was used.
  var hasRoomToSpare: Bool {
    size.withLock { size in
      if size == nil { size = trim() }
      return size ?? 0 <= terms.limit / 10 * 9
    }
  }

  /// Begins to fetch a file, or joins those who do already.
  func start(_ file: File) -> FileJob {
    if let kept = kept(file) { return FileJob(.success(kept)) }
    guard !file.isUnsent else { return FileJob(.failure(.lost(file))) }
    let key = key(of: file)
    return jobs.withLock { jobs in
      let previous = jobs[key]
      if let previous, previous.join() { return previous }
      let job = FileJob()
      jobs[key] = job
      queue.addOperation { self.carryOut(job, file, key, after: previous) }
      return job
    }
  }

  /// Keeps a content for a field until a sync has sent it.
  func keep(
    name: String, type: String?,
    _ fill: @escaping @Sendable (inout PartFile, _ limit: Int) throws(FileError) -> Void
  ) async throws(FileError) -> File {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<File, FileError>, Never>) in
      keeping.addOperation { [folder, terms] in
        continuation.resume(
          returning: Result { () throws(FileError) in
            let limit = terms.largestUpload
            let file = try folder.keep(
              name: name, type: type, limit: limit, writing: terms.write
            ) { part throws(FileError) in try fill(&part, limit) }
            return File(file)
          })
      }
    }
    return try result.get()
  }

  /// Begins a comparison of files, in the session of this moment.
  func comparing(
    _ cancellation: CancellationSignal, _ found: @escaping @Sendable (FileDifference) -> Void
  ) throws(FileError) -> FileComparing {
    let server: ParseServer
    do {
      server = try self.server.inPresentSession(
        within: terms.sessionTimeout, cancellation: cancellation)
    } catch {
      throw FileError(error)
    }
    return FileComparing(folder, server, transport, terms, cancellation, found)
  }

  private func key(of file: File) -> String {
    FileFolder.key(of: file, on: server)
  }

  /// Carries a job out; one that all callers have given up comes to its end first, so that this one can go on behind it.
  private func carryOut(_ job: FileJob, _ file: File, _ key: String, after previous: FileJob?) {
    previous?.waitForEnd()
    let result = Result { () throws(FileError) in
      // Another download may have ended since the file was asked for.
      if let kept = kept(file) { return kept }
      return try download(job, file, key)
    }
    if case .success(let kept) = result {
      completions.withLock { $0 += 1 }
      makeRoom(for: kept)
    }
    jobs.withLock { jobs in
      if jobs[key] === job { jobs[key] = nil }
    }
    job.end(result)
  }

  private func download(
    _ job: FileJob, _ file: File, _ key: String
  ) throws(FileError) -> KeptFile {
    guard !job.cancellation.isCancelled else { throw .cancelled }
    let server: ParseServer
    do {
      server = try self.server.inPresentSession(
        within: terms.sessionTimeout, cancellation: job.cancellation)
    } catch {
      throw FileError(error)
    }
    return try FileDownload(
      file: file, key: key, folder: folder, server: server, transport: transport, terms: terms,
      environment: environment, cancellation: job.cancellation, progress: { job.note($0) }
    ).run()
  }

  /// Lets the files go that were not used for longest, where all of them are too large.
  ///
  /// If it fails, the next download tries it again.
  private func makeRoom(for new: KeptFile) {
    size.withLock { size in
      size = size.map { $0 + new.bytes }
      guard size ?? .max > terms.limit else { return }
      size = trim()
    }
  }

  /// Removes what is beyond the limit.
  ///
  /// - Returns: The bytes that stay; nil if the folder cannot be changed.
  private func trim() -> Int? {
    let since = environment.now().adding(.zero - terms.grace)
    return try? FileCache(folder: folder).prune(to: terms.limit, keepingUsedSince: since).bytes
  }
}
