// Ferry: offline-first sync for Parse Server. MIT licence.

/// Cloud Code in Swift: the server runs it when rows of a class are written or read.
///
/// ```swift
/// configuration.triggers["Game"] = LoopbackTriggers(beforeSave: { save in
///   guard save.changes["title"] != "" else { throw LoopbackError(code: 142, message: "no title") }
///   save.changes["slug"] = "set by the server"
/// })
/// ```
///
/// Closures run while the backend is locked; they must be quick, and must not call the server. To let
/// a write take long, delay its commit with a ``LoopbackFault``.
public struct LoopbackTriggers: Sendable {
  /// Runs before a row is created or updated; may change what is written, or throw to refuse it.
  ///
  /// A ``LoopbackError`` keeps its code; any other error is refused with code 141.
  public var beforeSave: (@Sendable (inout LoopbackSave) throws -> Void)?

  /// Runs before a row is deleted; throws to refuse it.
  public var beforeDelete: (@Sendable (LoopbackValue) throws -> Void)?

  /// Runs on the rows of an answer to a find or a get; returns the rows to send instead.
  public var afterFind: (@Sendable ([LoopbackValue]) -> [LoopbackValue])?

  /// Makes the triggers of one class.
  ///
  /// - Parameters:
  ///   - beforeSave: runs before a row is created or updated.
  ///   - beforeDelete: runs before a row is deleted.
  ///   - afterFind: runs on the rows of an answer.
  public init(
    beforeSave: (@Sendable (inout LoopbackSave) throws -> Void)? = nil,
    beforeDelete: (@Sendable (LoopbackValue) throws -> Void)? = nil,
    afterFind: (@Sendable ([LoopbackValue]) -> [LoopbackValue])? = nil
  ) {
    self.beforeSave = beforeSave
    self.beforeDelete = beforeDelete
    self.afterFind = afterFind
  }
}

/// A Cloud Code function: takes the parameters, returns the result or nil for none.
///
/// It may throw a ``LoopbackError``, which keeps its code; any other error becomes code 141.
public typealias LoopbackFunction = @Sendable (LoopbackValue) throws -> LoopbackValue?
