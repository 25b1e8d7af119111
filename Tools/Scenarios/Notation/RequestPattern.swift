// Ferry: offline-first sync for Parse Server. MIT licence.

/// Which requests a phrase is about.
struct RequestPattern: Sendable, Hashable {
  enum Verb: String, Sendable, CaseIterable {
    case create = "POST"
    case update = "PUT"
    case delete = "DELETE"
    /// A new file on its way to the server.
    case upload = "UPLOAD"
    /// A page of a listing.
    case list = "LIST"
    /// A query for the number of rows.
    case count = "COUNT"
    /// A query for certain rows, by id or by client key.
    case find = "FIND"
  }

  enum Subject: Sendable, Hashable {
    case className(String)
    case row(String)
    /// A new file, by the name that the app gave it.
    case file(String)
  }

  enum Occurrence: Sendable, Hashable {
    /// Counted from 1.
    case nth(Int)
    /// The request of that number and all later ones in the same tick.
    case from(Int)
  }

  var occurrence: Occurrence
  var verb: Verb
  var subject: Subject

  var text: String {
    let subject =
      switch subject {
      case .className(let name), .row(let name): name
      case .file(let name): StoryValue.quoted(name)
      }
    let prefix =
      switch occurrence {
      case .from(1): "every "
      case .from(let number): "number \(number) and later of "
      case .nth(1): ""
      case .nth(let number): "number \(number) of "
      }
    return "\(prefix)\(verb.rawValue) \(subject)"
  }
}
