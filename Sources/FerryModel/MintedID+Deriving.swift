// Ferry: offline-first sync for Parse Server. MIT licence.

extension MintedID {
  /// The id of a row that is made of another library's object: the same for the same key, on each device.
  ///
  /// - Parameter key: A key that no other object has, as a UUID.
  /// - Returns: The id.
  package static func derived(from key: String) -> String {
    String(SHA256.text(of: key).prefix(length))
  }
}
