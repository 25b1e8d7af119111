// Ferry: offline-first sync for Parse Server. MIT licence.

/// The moments of a new row, which the maintenance key alone may choose.
struct ChosenDates {
  var createdAt: Instant
  var updatedAt: Instant

  /// Takes what a create says of them; `updatedAt` counts only beside `createdAt`.
  init(_ fields: [String: LoopbackValue], _ call: Call, hasTrigger: Bool) throws(Refusal) {
    createdAt = call.stamp
    updatedAt = call.stamp
    // A trigger makes an object of the fields, and these two get lost on the way.
    guard call.caller.isMaintenance, !hasTrigger, let created = Self.instant(fields["createdAt"])
    else { return }
    createdAt = created
    updatedAt = Self.instant(fields["updatedAt"]) ?? created
    guard updatedAt >= createdAt else {
      throw .parse(142, "updatedAt cannot occur before createdAt")
    }
  }

  private static func instant(_ value: LoopbackValue?) -> Instant? {
    value?["iso"]?.string.flatMap(Instant.init)
  }
}
