// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import Foundation

extension SyncCoordinator {
  /// Where the content of a file is on this device, if it is here; asks no server.
  ///
  /// Use it for what a screen shows at once. The content then counts as used, so that it stays for longer.
  ///
  /// ```swift
  /// for photo in try await store.read({ try $0.records(Query("Photo")) }) {
  ///   guard case .file(let image) = photo["image"] else { continue }
  ///   print(photo.localID, coordinator.keptFile(image) == nil ? "to be fetched" : "here")
  /// }
  /// ```
  ///
  /// It reads a small file of the disk. Any thread may call it.
  ///
  /// - Parameter file: The value of a file field.
  /// - Returns: The content's file, which has no ending; nil if the content is not here. Read it within five minutes, or
  ///   ask again: later it may leave. Do not change it.
  public func keptFile(_ file: File) -> URL? { fileFetches.kept(file)?.url }

  /// Gives the content of a file: at once if it is here, or else from the server.
  ///
  /// ```swift
  /// let photo = try await store.read { try $0.records(Query("Photo")).first }
  /// if case .file(let image)? = photo?["image"] {
  ///   let content = try await coordinator.fetchFile(image)
  ///   print(try Data(contentsOf: content).count)
  /// }
  /// ```
  ///
  /// The content goes to the disk while it comes, so a large file needs little memory. An interrupted download is tried
  /// again, and goes on where it ended if the server can give a part; so does the next call, also in another process. Of a
  /// file that several callers want, one download brings the content to all. Four downloads run at a time.
  ///
  /// The length is checked, and an answer that is not the file, such as a page of a proxy, is refused. The keys of the app and
  /// the session go to the files of the server's own address only. An address of another server is asked without them, also
  /// if the server redirects there.
  ///
  /// It needs no sync, and waits for none. If the awaiting task is cancelled, the request is. Any thread may call it.
  ///
  /// - Parameter file: The value of a file field.
  /// - Returns: The content's file, which has no ending. Read it within five minutes, or ask again: later it may leave,
  ///   if the files take more room than `SyncOptions.filesLimit`. Do not change it.
  /// - Throws: `FileError`.
  public func fetchFile(_ file: File) async throws(FileError) -> URL {
    try await startFetching(file).url
  }

  /// Begins to fetch a file and returns at once, for an app that shows the progress or cancels the request.
  ///
  /// ```swift
  /// let fetch = coordinator.startFetching(File(name: "0123456789abcdef0123456789abcdef_trip.mov"))
  /// for await progress in fetch.progress { print(progress.done, progress.total ?? 0) }
  /// let content = try await fetch.url
  /// ```
  ///
  /// It does what `fetchFile(_:)` does. Any thread may call it.
  ///
  /// - Parameter file: The value of a file field.
  /// - Returns: The request, to watch, await or cancel.
  public func startFetching(_ file: File) -> FileFetch { FileFetch(fileFetches.start(file)) }
}
