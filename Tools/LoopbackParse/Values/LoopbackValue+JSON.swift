// Ferry: offline-first sync for Parse Server. MIT licence.

extension LoopbackValue {
  /// Reads a value from JSON text.
  ///
  /// - Parameter json: the text's UTF-8.
  /// - Throws: ``LoopbackError``, code 107, which says what is wrong at which byte.
  public init(json: [UInt8]) throws(LoopbackError) {
    do throws(JSONReadError) {
      self = try JSONReader.value(of: json)
    } catch {
      throw LoopbackError(code: 107, message: error.sentence)
    }
  }

  /// The value as JSON text, always the same for the same value.
  public var text: String { JSONWriter.text(of: self) }
}
