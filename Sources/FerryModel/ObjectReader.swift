// Ferry: offline-first sync for Parse Server. MIT licence.

/// Goes through the objects of an `ObjectSource`; one thread uses it.
public protocol ObjectReader: AnyObject {
  /// Reads the next objects.
  ///
  /// - Parameter limit: The greatest number of objects. A reader gives fewer where they are large.
  /// - Returns: The objects; none at the end.
  /// - Throws: `ObjectSourceError` if the source cannot be read on.
  func next(_ limit: Int) throws(ObjectSourceError) -> [KeptObject]
  /// The object with a key; nil if the source has none, or has no keys.
  func object(uuid: String) throws(ObjectSourceError) -> KeptObject?
}

extension ObjectReader {
  /// Nil: a source without keys.
  public func object(uuid: String) throws(ObjectSourceError) -> KeptObject? { nil }
}
