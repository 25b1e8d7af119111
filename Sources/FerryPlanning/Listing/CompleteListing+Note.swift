// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension CompleteListing: Note {
  package init(from json: inout JSONText) throws(JSONText.Malformed) {
    var (listingID, isCounted) = (String?.none, Bool?.none)
    var (bound, count) = (Timestamp?.none, Int64?.none)
    try json.members { json, name throws(JSONText.Malformed) in
      switch name {
      case "isCounted": isCounted = try json.boolean()
      case "listingID": listingID = try json.text()
      case "serverTimeLowerBound": bound = try json.timestamp()
      case "unchangedCount": count = try json.integer()
      default: try json.skip()
      }
    }
    guard let listingID, let isCounted else { throw JSONText.Malformed() }
    self.init(
      listingID: listingID, serverTimeLowerBound: bound, unchangedCount: count.map(Int.init),
      isCounted: isCounted)
  }

  package func write(to json: inout WireJSON) {
    json.object { json in
      json.member("isCounted", isCounted)
      json.member("listingID", listingID)
      json.member("serverTimeLowerBound", serverTimeLowerBound)
      if let unchangedCount { json.member("unchangedCount", Int64(unchangedCount)) }
    }
  }
}
