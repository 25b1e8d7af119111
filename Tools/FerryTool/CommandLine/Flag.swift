// Ferry: offline-first sync for Parse Server. MIT licence.

/// A flag, as the parser, the help and the completions all read it.
struct Flag: Sendable {
  /// The flag's long name, without the hyphens.
  enum Name: String, CaseIterable, Sendable {
    case server
    case applicationID = "application-id"
    case restKeyFile = "rest-key-file"
    case masterKeyFile = "master-key-file"
    case sessionTokenFile = "session-token-file"
    case className = "class"
    case id
    case field
    case from
    case dryRun = "dry-run"
    case all
    case run
    case force
    case passwordFile = "password-file"
    case signUp = "sign-up"
    case email
    case anonymous
    case unsent
    case only
    case through
    case compare
    case adopt
    case maxDelete = "max-delete"
    case confirm
    case timeout
    case interval
    case prefetch
    case live
    case liveAddress = "live-address"
    case offline
    case maxUncounted = "max-uncounted"
    case maxUpload = "max-upload"
    case exitCode = "exit-code"
    case allowCleartext = "allow-cleartext"
    case write
    case makeIndex = "make-index"
    case limit
    case after
    case token
    case before
    case out
    case directory
    case json
    case files
    case verbose
    case quiet
    case noColor = "no-color"
    case help
  }

  /// The words that a shell offers for a value.
  enum Completion: Sendable, Equatable {
    case nothing
    case file
    case folder
    case choices([String])
  }

  /// How many values a flag takes.
  enum Arity: Sendable, Equatable {
    case none
    case one
    /// At least one, and the flag may stand several times.
    case several
  }

  var name: Name
  var letter: Character?
  var arity: Arity = .none
  /// The name of the value in the help; empty for a flag without one.
  var valueName = ""
  var completion: Completion = .nothing
  /// The flag's effect, as a sentence.
  var sentence: String

  var text: String { "--\(name.rawValue)" }

  /// The flag as the help shows it, with its value.
  var usage: String {
    let short = letter.map { "-\($0), " } ?? ""
    switch arity {
    case .none: return short + text
    case .one: return "\(short)\(text) \(valueName)"
    case .several: return "\(short)\(text) \(valueName)..."
    }
  }
}
