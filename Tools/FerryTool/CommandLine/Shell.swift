// Ferry: offline-first sync for Parse Server. MIT licence.

/// A shell that the tool can write completions for.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The script, made of the command table.
  var completions: String {
    switch self {
    case .bash: BashCompletions.script
    case .zsh: ZshCompletions.script
    case .fish: FishCompletions.script
    }
  }
}

extension String {
  /// In single quotes, as one word for any of the shells.
  ///
  /// A quote inside is written `'\''`, which all three read alike outside of quotes.
  var shellQuoted: String {
    "'\(split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}
