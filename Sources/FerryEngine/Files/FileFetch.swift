// Ferry: offline-first sync for Parse Server. MIT licence.

public import Foundation
import Synchronization

/// A request for the content of a file, running or over: its progress, its end, and the way to stop it.
///
/// Several requests for one file share a download. Releasing a request does not stop it.
///
/// ```swift
/// let fetch = coordinator.startFetching(File(name: "0123456789abcdef0123456789abcdef_trip.mov"))
/// for await progress in fetch.progress { print(progress.done, progress.total ?? 0) }
/// let content = try await fetch.url
/// ```
public final class FileFetch: Sendable {
  private struct State {
    var isCancelled = false
    var waits: Set<Int> = []
  }

  private let job: FileJob
  private let state = Mutex(State())

  init(_ job: FileJob) { self.job = job }

  /// How much of the file has come, in bytes; the stream ends with the download.
  ///
  /// It begins with the newest progress, and leaves some out for a slow reader. A file that is here already has none.
  public var progress: AsyncStream<FileProgress> { job.stream() }

  /// Where the content is, once it is here.
  ///
  /// If the awaiting task is cancelled, this request is.
  ///
  /// - Throws: `FileError`.
  public var url: URL {
    get async throws(FileError) { try await file.url }
  }

  /// The file, once its content is here.
  ///
  /// If the awaiting task is cancelled, this request is.
  ///
  /// - Throws: `FileError`.
  public var file: KeptFile {
    get async throws(FileError) {
      let number = job.nextNumber()
      state.withLock { _ = $0.waits.insert(number) }
      defer { state.withLock { _ = $0.waits.remove(number) } }
      guard !state.withLock(\.isCancelled) else { throw .cancelled }
      let result = await withTaskCancellationHandler {
        await job.result(as: number)
      } onCancel: {
        cancel()
      }
      guard let result else { throw .cancelled }
      return try result.get()
    }
  }

  /// Gives the request up; the download stops within half a second if nobody else waits for it.
  ///
  /// Any thread may call it, any number of times. Ferry keeps the bytes that have come for the next request, as far as
  /// it can go on from there.
  public func cancel() {
    let waits = state.withLock { state -> Set<Int>? in
      guard !state.isCancelled else { return nil }
      state.isCancelled = true
      return state.waits
    }
    guard let waits else { return }
    for number in waits { job.giveUp(number) }
    job.leave()
  }
}
