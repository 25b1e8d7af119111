// Ferry: offline-first sync for Parse Server. MIT licence.

/// Whose request changed a record.
enum Sender {
  /// Another client, with every right.
  case client
  /// A device's request, in the session of a user, or of nobody.
  ///
  /// The device is nil for a request that arrived late, because the device does not wait for its answer.
  case request(Int?, User?)

  /// The device that waits for the answer.
  var device: Int? { if case .request(let device, _) = self { device } else { nil } }
}
