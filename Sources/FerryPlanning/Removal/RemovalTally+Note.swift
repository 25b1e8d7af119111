// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension RemovalTally: Note {
  package init(from json: inout JSONText) throws(JSONText.Malformed) {
    var numbers: [String: Int64] = [:]
    try json.members { json, name throws(JSONText.Malformed) in
      switch name {
      case "day", "local", "server": numbers[name] = try json.integer()
      default: try json.skip()
      }
    }
    guard let day = numbers["day"], let local = numbers["local"], let server = numbers["server"]
    else { throw JSONText.Malformed() }
    self.init(day: day, local: Int(local), server: Int(server))
  }

  package func write(to json: inout WireJSON) {
    json.object { json in
      json.member("day", day)
      json.member("local", Int64(local))
      json.member("server", Int64(server))
    }
  }
}
