// Ferry: offline-first sync for Parse Server. MIT licence.

extension Value {
  /// The value as JSON text on one line, in the form of Parse's REST interface.
  ///
  /// The keys of objects are in byte order, so equal values have equal text. JSON has no infinity and
  /// no NaN; both become `null`.
  ///
  /// ```swift
  /// Value.date(Timestamp(milliseconds: 0)).json
  /// // {"__type":"Date","iso":"1970-01-01T00:00:00.000Z"}
  /// ```
  public var json: String { WireJSON.text(self) }
}
