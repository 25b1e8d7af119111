// Ferry: offline-first sync for Parse Server. MIT licence.

/// The answer of a route: status, headers, and a body that is text already.
///
/// Bodies are bytes from the start, so that pages and batches are put together from rows that were
/// encoded when they were written.
struct Answer {
  var status: Int
  var headers: LoopbackHeaders
  var body: [UInt8]

  private init(status: Int, contentType: String?, body: [UInt8]) {
    self.status = status
    self.headers = [:]
    self.body = body
    headers["Content-Type"] = contentType
  }

  init(status: Int = 200, encoded: [UInt8]) {
    self.init(status: status, contentType: "application/json; charset=utf-8", body: encoded)
  }

  init(status: Int = 200, json: LoopbackValue) {
    self.init(status: status, encoded: JSONWriter.bytes(of: json))
  }

  static func text(_ status: Int, _ text: String) -> Answer {
    Answer(
      status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
  }

  static func bytes(_ bytes: [UInt8], status: Int = 200, contentType: String?) -> Answer {
    Answer(status: status, contentType: contentType, body: bytes)
  }

  /// Express's page for what it has no route for.
  static func page(_ status: Int, _ text: String) -> Answer {
    let page = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <title>Error</title>
      </head>
      <body>
      <pre>\(text)</pre>
      </body>
      </html>

      """
    return Answer(
      status: status, contentType: "text/html; charset=utf-8", body: Array(page.utf8))
  }

  var response: LoopbackResponse {
    LoopbackResponse(status: status, headers: headers, body: body)
  }
}
