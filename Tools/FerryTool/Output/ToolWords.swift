// Ferry: offline-first sync for Parse Server. MIT licence.

extension String {
  /// A text of the engine in the tool's words.
  ///
  /// A user of the tool declares the schema in ferry.json, and allows cleartext by a flag.
  var inToolWords: String {
    replacing("The schema ", with: "ferry.json ").replacing("the schema", with: "ferry.json")
      .replacing(
        "allow cleartext for this server explicitly", with: "allow http with --allow-cleartext")
  }
}
