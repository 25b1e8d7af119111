// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension DownloadCursor: Note {
  package init(from json: inout JSONText) throws(JSONText.Malformed) {
    self.init()
    try json.members { json, name throws(JSONText.Malformed) in
      switch name {
      case "comparableRows": comparableRows = Int(try json.integer())
      case "newest": newest = try json.timestamp()
      case "serverTimeLowerBound": serverTimeLowerBound = try json.timestamp()
      default: try json.skip()
      }
    }
  }

  package func write(to json: inout WireJSON) {
    json.object { json in
      if let comparableRows { json.member("comparableRows", Int64(comparableRows)) }
      json.member("newest", newest)
      json.member("serverTimeLowerBound", serverTimeLowerBound)
    }
  }
}
