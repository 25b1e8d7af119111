// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse
import FerryPlanning

/// Checks that the server accepts the master key of a run, before any data moves.
///
/// Parse Server treats a request with a wrong master key as an ordinary client's. The records that
/// only the master key may read would then look deleted.
struct MasterKeyProof {
  let context: StageContext

  /// Asks once; a run without the master key asks nothing.
  func prove() throws(SyncError) {
    guard context.server.usesMasterKey else { return }
    let response: HTTPResponse
    do {
      response = try context.transport.send(
        context.requests.serverInfo(), cancellation: context.cancellation)
    } catch {
      throw SyncError(error)
    }
    do {
      guard try !ParseResponses().acceptsMasterKey(response) else { return }
    } catch {
      throw SyncError(endingRun: error) ?? Self.unproven(error)
    }
    throw Self.refused(response)
  }

  private static func refused(_ response: HTTPResponse) -> SyncError {
    SyncError(
      .unauthorized,
      "The server does not accept the master key (HTTP \(response.status)). With a wrong one it "
        + "answers as to an ordinary client, and records for the master key alone would look deleted. "
        + "Nothing was sent and nothing was changed; unsent changes are kept. Correct the master key, or "
        + "leave it out. If it is right, check the application id, the other keys, and the "
        + "server's masterKeyIps.")
  }

  private static func unproven(_ error: ParseError) -> SyncError {
    let words = error.serverText.isEmpty ? "" : " It said: “\(error.serverText)”."
    return SyncError(
      error.meaning == .malformed ? .malformedData : .tryAgain,
      "The server did not say whether it accepts the master key (\(error.origin)).\(words) Nothing was "
        + "sent and nothing was changed; unsent changes are kept. Sync again; if that changes "
        + "nothing, look at the server's log.",
      cause: error)
  }
}
