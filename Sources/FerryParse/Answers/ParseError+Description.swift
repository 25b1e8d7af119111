// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

extension ParseError: CustomStringConvertible {
  /// What happened, what became of the data, and what to do.
  public var description: String {
    "\(happeningInFull) \(remedy)"
  }

  /// What happened, with the server's own words.
  package var happeningInFull: String {
    let words = serverText.isEmpty ? "" : " It said: “\(serverText)”."
    return "\(happening) (\(origin)).\(words)"
  }

  /// The numbers of the answer.
  package var origin: String {
    code.map { "code \($0.rawValue), HTTP \(status)" } ?? "HTTP \(status)"
  }

  private var happening: String {
    switch meaning {
    case .retryLater, .failed: "The server could not answer now"
    case .rateLimited: "The server takes no more requests for the moment"
    case .loginNeeded: "The server does not accept the session, or wants one"
    case .refused, .forbidden, .invalidName: "The server refused the request"
    case .duplicate: "The server already holds a value that has to be unique"
    case .notFoundOrForbidden: "The server has no such object, or none for this user"
    case .outcomeUnknown: "The server did not say whether it carried out the change"
    case .tooLarge: "The request was too large for the server"
    case .unauthorized: "The server does not accept the application id or a key"
    case .wrongURL: "There is no Parse Server at this path of the address"
    case .notParse: "The server at this address is not a Parse Server"
    case .malformed: "The server's answer is not what was asked for"
    case .cut: "The server's answer was cut off on its way"
    }
  }

  private var remedy: String {
    switch meaning {
    case .retryLater, .failed, .rateLimited: "Nothing was changed. Try again later."
    case .loginNeeded:
      "Nothing was changed, and unsent changes are kept. Log in again, and sync again."
    case .refused, .forbidden, .invalidName:
      isOfWrite
        ? "Nothing was changed on the server, and the unsent change is kept. \(cure)"
        : "Nothing was changed. \(cure)"
    case .duplicate, .notFoundOrForbidden:
      "Nothing was changed, and the change is kept here until it is known which of the two it is."
    case .outcomeUnknown: "The change is kept here and looked up before it is sent again."
    case .tooLarge: "Nothing was changed. Send less at once."
    case .unauthorized:
      "Nothing was changed. Check the application id, the keys, and where the server allows them from."
    case .wrongURL: "Nothing was changed. Check the mount path, often /parse or /1."
    case .notParse: "Nothing was changed. Check the address, and what stands between."
    case .malformed, .cut: "Nothing was changed. Try again; if it stays, look at the server's log."
    }
  }

  /// The way out of a refusal that every further attempt would meet, too.
  private var cure: String {
    let edit = isOfWrite ? " Then edit the record to send it again." : ""
    return switch code {
    case .incorrectType?:
      "Make the type of the value, the field's declared type and its type on the server the same.\(edit)"
    case .operationForbidden? where !bytesFields.isEmpty:
      "The edit sets bytes in \(bytesFields.joined(separator: ", ")). On PostgreSQL, Parse Server takes "
        + "bytes with a new record alone, and refuses every later change of them. Set the field to null, "
        + "or keep the bytes in a file. On another database, allow edits in the permissions of the "
        + "class.\(edit)"
    case .operationForbidden?:
      "Create the class on the server if it is missing, allow this in its permissions, or sync as a "
        + "user who may do it.\(edit)"
    default: isOfWrite ? "Edit the record to send it again." : "Look at the server's log."
    }
  }
}
