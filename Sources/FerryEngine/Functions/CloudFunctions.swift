// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryHTTP
import FerryModel
public import FerryParse
import Foundation

/// Calls functions of a server's Cloud Code, with Swift types for their parameters and their results.
///
/// ```swift
/// struct Rating: Decodable { var stars: Double, votes: Int }
/// let functions = CloudFunctions(server: accounts.server)
/// let rating: Rating = try await functions.call("averageRating", ["movie": "Heat"])
/// ```
///
/// A function may change anything, so Ferry sends each call at most once. Where an answer is lost, the error has the code
/// `outcomeUnknown`, and the app decides whether to call again. The call is made in the session that the server's
/// `sessionToken` gives at that moment.
///
/// A `Date`, a `Data`, a `Pointer`, a `GeoPoint` and a `File` are sent and read in Parse's form. A missing optional is left
/// out of the parameters. A result that is an object of Parse is read by its fields; a `Date` may be a text there, as in
/// `createdAt`.
///
/// Each call waits on a thread of its own, never on one of Swift's pool. If the task is cancelled, the call ends within
/// half a second. Any thread may call the methods. The rules are those of Parse Server 9.
public final class CloudFunctions: Sendable {
  private let server: ParseServer
  private let transport: any HTTPTransport
  private let timeout: Duration
  private let queue = OperationQueue()

  /// Describes whom to ask; it sends nothing.
  ///
  /// - Parameters:
  ///   - server: The server, with its closure for a session token.
  ///   - transport: Carries the calls.
  ///   - timeout: How long the server may be silent until a call counts as failed; at least a second. A slow function needs
  ///     a longer one.
  public init(
    server: ParseServer, transport: any HTTPTransport, timeout: Duration = .seconds(60)
  ) {
    self.server = server
    self.transport = DiscreetTransport(transport)
    self.timeout = timeout
    queue.name = "Ferry.CloudFunctions"
  }

  /// Calls a function, and returns its result.
  ///
  /// - Parameters:
  ///   - function: The name of the function.
  ///   - parameters: A dictionary, or a value with named properties; the default is none.
  ///   - type: The type of the result; an optional one where the function may return none.
  /// - Returns: The result.
  /// - Throws: `FunctionError`.
  public func call<Answer: Decodable & Sendable>(
    _ function: String, _ parameters: some Encodable = [String: String](),
    returning type: Answer.Type = Answer.self
  ) async throws(FunctionError) -> Answer {
    let result = try await result(of: function, parameters)
    do {
      return try FunctionCoder.value(of: result, as: type)
    } catch {
      throw FunctionError(unreadable: error, of: function)
    }
  }

  /// Calls a function, and pays no attention to its result.
  ///
  /// - Parameters:
  ///   - function: The name of the function.
  ///   - parameters: A dictionary, or a value with named properties; the default is none.
  /// - Throws: `FunctionError`.
  public func call(
    _ function: String, _ parameters: some Encodable = [String: String]()
  ) async throws(FunctionError) {
    _ = try await result(of: function, parameters)
  }

  private func result(
    of function: String, _ parameters: some Encodable
  ) async throws(FunctionError) -> FerryModel.Value {
    let values: [String: FerryModel.Value]
    do {
      values = try FunctionCoder.parameters(parameters)
    } catch {
      throw FunctionError(unsendable: error)
    }
    let cancellation = CancellationSignal()
    return try await queue.run(until: cancellation) { [self] () throws(FunctionError) in
      try result(of: function, values, cancellation)
    }
  }

  private func result(
    of function: String, _ parameters: [String: FerryModel.Value],
    _ cancellation: CancellationSignal
  ) throws(FunctionError) -> FerryModel.Value {
    do {
      try server.validate()
    } catch {
      throw FunctionError(.configuration, error.message, cause: error)
    }
    let present: ParseServer
    do {
      present = try server.inPresentSession(within: timeout, cancellation: cancellation)
    } catch {
      throw FunctionError(error)
    }
    let request: HTTPRequest
    do {
      let limits = HTTPLimits(timeout: timeout)
      request = try ParseRequests(present, limits: limits).call(function, parameters)
    } catch {
      throw FunctionError(.invalidParameters, error.message, cause: error)
    }
    let response: HTTPResponse
    do {
      response = try transport.send(request, cancellation: cancellation)
    } catch {
      throw FunctionError(error)
    }
    do {
      return try ParseResponses().functionResult(response)
    } catch {
      throw FunctionError(error, of: function)
    }
  }
}
