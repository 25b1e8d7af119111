// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
package import FerryModel

// Functions of Cloud Code, as `FunctionsRouter` of Parse Server 9 has them.
extension ParseRequests {
  /// Calls a function of the server's Cloud Code, which may change anything.
  ///
  /// - Parameters:
  ///   - function: Its name.
  ///   - parameters: Its parameters.
  /// - Returns: The request.
  /// - Throws: `RequestError` for a name or a value that cannot be sent.
  package func call(
    _ function: String, _ parameters: [String: Value]
  ) throws(RequestError) -> HTTPRequest {
    // The server takes it for the verb of the request.
    guard parameters["_method"] == nil else {
      throw .unusableParameter("No parameter may have the name _method. Choose another name.")
    }
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      do {
        try WireCheck(field: name).check(parameter: value)
      } catch {
        throw .unusableParameter("A parameter cannot be sent. \(error.advice)")
      }
    }
    return request(.post, try ParsePath(functionNamed: function), parameters, isWrite: true)
  }
}

extension RequestError {
  fileprivate static func unusableParameter(_ fault: String) -> RequestError {
    RequestError(code: .unusableParameter, message: "\(fault) Nothing was sent.")
  }
}
