// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse

/// Which of some files any record of the server names, in any file field of any class.
///
/// It needs the master key, which shows all classes and all records. PostgreSQL refuses to compare such a field with a file,
/// and compares it with the bare name. A condition about a column that is not there would have no rows, so each field has a
/// question of its own, and the server names the fields.
struct NamedFiles {
  /// Nil where the server has not answered each question.
  let names: Set<String>?

  init(among names: [String], in context: StageContext) {
    self.names = Self.ask(names, in: context)
  }

  private static func ask(_ names: [String], in context: StageContext) -> Set<String>? {
    guard let answer = answers([context.requests.schemas()], in: context)?.first,
      let classes = try? ParseResponses().schemas(answer)
    else { return nil }
    let values = names.map { Value.string($0) }
    var requests: [HTTPRequest] = []
    for entity in classes {
      for field in entity.fields where field.type == .file {
        let query = ParseQuery(.oneOf(field.name, values), keys: [field.name], limit: 1000)
        guard let request = try? context.request(query, of: entity.name) else { return nil }
        requests.append(request)
      }
    }
    guard let pages = answers(requests, in: context) else { return nil }
    var named = Set<String>()
    for page in pages {
      guard
        case .object(let members)? = try? Value(json: String(decoding: page.body, as: UTF8.self)),
        case .array(let rows)? = members["results"]
      else { return nil }
      for case .object(let row) in rows {
        for case .file(let file) in row.values { named.insert(file.name) }
      }
      // A page that is full may hide the record of another file.
      guard rows.count < 1000 else { return nil }
    }
    return named
  }

  private static func answers(_ requests: [HTTPRequest], in context: StageContext)
    -> [HTTPResponse]?
  {
    let results = context.transport.sendAll(requests, cancellation: context.cancellation)
    let answers = results.compactMap { result in
      (try? result.get()).flatMap { $0.status == 200 ? $0 : nil }
    }
    return answers.count == requests.count ? answers : nil
  }
}
