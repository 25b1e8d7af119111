// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore

extension SyncCoordinator {
  /// Fetches the contents of file fields as their values come, until its task is cancelled.
  ///
  /// Use it for what a user must see without a network, such as the pictures of a list. The contents of the other fields
  /// come when the app asks for them. Keep it running in a task of its own, beside `run(_:adopting:onSync:)`:
  ///
  /// ```swift
  /// let prefetch = Task {
  ///   try await coordinator.prefetchFiles(of: ["Photo": ["thumbnail"]])
  /// }
  /// ```
  ///
  /// The app decides on each file, before it is asked for. So a large video can wait until the network costs nothing: the
  /// closure may take its time, and others are fetched meanwhile.
  ///
  /// ```swift
  /// try await coordinator.prefetchFiles(of: ["Photo": ["image"]]) { file, error in
  ///   print("\(file.file.name): \(error.message)")
  /// } if: { file in
  ///   file.className == "Photo"  // And such as: the device is in a wireless network.
  /// }
  /// ```
  ///
  /// It follows the history of the classes under the names `files of CLASS.FIELD`, so it goes on after a restart, and its work grows with
  /// the changes. A name is new at its first call, or after 30 days without one. Then it looks at all rows once, and passes over the files
  /// that are here. Programs that share a store share these names, so each file is offered to one of them. A file that left because of `SyncOptions.filesLimit` comes again when the app asks for it.
  ///
  /// It takes no room from the files that were used: above nine tenths of `SyncOptions.filesLimit`, it fetches nothing and says so.
  ///
  /// A failure that may pass is tried again, after a pause of one second up to five minutes, and when the network changes. It waits as
  /// long as it must for the server, a login, or the disk: the codes `unreachable`, `tryAgain`, `sessionUnavailable`, `loginNeeded`,
  /// `diskFull` and `localStorage`. It tries three times where the file is the cause: the server has served another file or a sync
  /// since, or the file lies at another address. After that, and after each other failure, the file is left until its record changes
  /// or the app asks for it. Four files come at a time. Any thread may call it.
  ///
  /// - Parameters:
  ///   - fields: The names of the file fields, by class.
  ///   - onFailure: Called after each failure of a file, from any thread.
  ///   - mayFetch: Says whether Ferry may fetch a file now, from any thread; it may by default. A file without leave stays
  ///     on demand until its record changes.
  /// - Throws: `StoreError` if the store cannot be read, and with code `unknownClass`, `unknownField` or `wrongType` if there is no
  ///   such file field. `CancellationError` at the end of its task.
  public func prefetchFiles(
    of fields: [String: Set<String>],
    onFailure: @escaping @Sendable (PrefetchedFile, FileError) async -> Void = { _, _ in },
    if mayFetch: @escaping @Sendable (PrefetchedFile) async -> Bool = { _ in true }
  ) async throws {
    try await prefetchFiles(
      of: fields, firstPause: .seconds(1), onFailure: onFailure, if: mayFetch)
  }

  func prefetchFiles(
    of fields: [String: Set<String>], firstPause: Duration,
    onFailure: @escaping @Sendable (PrefetchedFile, FileError) async -> Void,
    if mayFetch: @escaping @Sendable (PrefetchedFile) async -> Bool
  ) async throws {
    let prefetches = try fields.flatMap { className, names in
      try names.map { name in
        try store.schema.checkFileField(name, of: className)
        return FilePrefetch(
          className: className, field: name, coordinator: self, firstPause: firstPause,
          onFailure: onFailure, mayFetch: mayFetch)
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for prefetch in prefetches { group.addTask { try await prefetch.run() } }
      try await group.waitForAll()
    }
  }
}
