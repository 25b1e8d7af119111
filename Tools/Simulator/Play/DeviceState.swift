// Ferry: offline-first sync for Parse Server. MIT licence.

/// The clock and the session of a device, which all its programs share.
final class DeviceState: @unchecked Sendable {
  // Unchecked: one thread carries a world out.
  /// The milliseconds by which the device's clock is ahead.
  var ahead: Int64 = 0
  /// The session of the app; nil where nobody is logged in.
  var session: (user: User, token: String)?
}
