// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryStore
import Foundation

extension SyncCoordinator {
  /// Compares the files that fields name with those that the server has, and with the contents on this device.
  ///
  /// Use it to find records whose files are gone, such as after a move of the server's storage. It changes nothing, fetches no
  /// content, and takes one request for each file. `ferry verify --files` does the same.
  ///
  /// ```swift
  /// let comparison = try await coordinator.compareFiles { difference in
  ///   print(difference.row.objectID, difference.field, difference.kind)
  /// }
  /// print(comparison.files, "files compared")
  /// ```
  ///
  /// It reads the rows as they are, and asks for 500 rows' files at a time. The size of a content that is here is compared with
  /// that on the server, where the server says it. Any thread may call it.
  ///
  /// - Parameters:
  ///   - classNames: The classes; nil for all that have file fields.
  ///   - onDifference: Called with each field whose file differs, from any thread.
  /// - Returns: How many files were compared.
  /// - Throws: `StoreError` if the store cannot be read, and with code `unknownClass` for a class that is not registered.
  ///   `FileError` with code `sessionUnavailable` if the app gives no token. `CancellationError` if the task is cancelled.
  @discardableResult
  public func compareFiles(
    of classNames: Set<String>? = nil,
    onDifference: @escaping @Sendable (FileDifference) -> Void
  ) async throws -> FileComparison {
    for name in classNames ?? [] { _ = try store.schema.registered(name) }
    let cancellation = CancellationSignal()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        OperationQueue().addOperation { [self] in
          continuation.resume(
            with: Result {
              do {
                return try compare(classNames, cancellation, onDifference)
              } catch let error as FileError where error.code == .cancelled {
                throw CancellationError()
              }
            })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  private func compare(
    _ classNames: Set<String>?, _ cancellation: CancellationSignal,
    _ onDifference: @escaping @Sendable (FileDifference) -> Void
  ) throws -> FileComparison {
    var comparing = try fileFetches.comparing(cancellation, onDifference)
    for entity in store.schema.entities where classNames?.contains(entity.name) ?? true {
      let fields = entity.fields.filter { $0.type == .file }.map(\.name)
      guard !fields.isEmpty else { continue }
      let isNamed = Condition.any(fields.map { .not(.isNull($0)) })
      var last = LocalID(rawValue: 0)
      while true {
        let rows = try store.syncAccess.store.syncRead { reader throws(StoreError) in
          try reader.records(
            of: entity.name,
            where: isNamed && .field("localId", .greaterThan, .integer(last.rawValue)),
            orderedBy: .ascending("localId"), limit: FileComparing.pageSize)
        }
        try comparing.compare(rows, fields: fields)
        guard let newest = rows.last else { break }
        last = newest.localID
      }
    }
    return comparing.result
  }
}
