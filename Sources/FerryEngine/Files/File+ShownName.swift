// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

extension File {
  /// The name for messages: one line, without signs that steer a terminal.
  var shownName: String {
    var shown = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: shown.append("\u{FFFD}")
      default: shown.append(scalar)
      }
    }
    return String(shown)
  }
}
