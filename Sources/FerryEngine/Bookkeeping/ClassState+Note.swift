// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

// The state of a class as the store keeps it. A program skips the members that only a newer one knows.
extension ClassState: Note {
  init(from json: inout JSONText) throws(JSONText.Malformed) {
    self.init()
    // Of a state without these, something was lost.
    var missing: Set = [
      "countDisagreements", "cursor", "isCountForbidden", "isInitialSyncDone", "removals",
      "unknownFields", "unseenFields", "uploadSequence",
    ]
    try json.members { json, name throws(JSONText.Malformed) in
      missing.remove(name)
      try read(name, &json)
    }
    guard missing.isEmpty else { throw JSONText.Malformed() }
  }

  private mutating func read(
    _ name: String, _ json: inout JSONText
  ) throws(JSONText.Malformed) {
    switch name {
    case "completeListing": completeListing = try CompleteListing(from: &json)
    case "countDisagreements": countDisagreements = Int(try json.integer())
    case "cursor": cursor = try DownloadCursor(from: &json)
    case "everListedFields": everListedFields = try json.names()
    case "failure": failure = try Failure(from: &json)
    case "fingerprint": fingerprint = try json.text()
    case "importing": importing = try ImportProgress(from: &json)
    case "isCountForbidden": isCountForbidden = try json.boolean()
    case "isInitialSyncDone": isInitialSyncDone = try json.boolean()
    case "lastImport": lastImport = try ImportProgress(from: &json)
    case "listedFields": listedFields = try json.names()
    case "logPosition": logPosition = try LogPosition(from: &json)
    case "needsLoginToCreate": needsLoginToCreate = try json.boolean()
    case "removals": removals = try RemovalTally(from: &json)
    case "scan": scan = try RollingScan(from: &json)
    case "unknownFields": unknownFields = try json.names()
    case "unseenFields": unseenFields = try json.names()
    case "uploadSequence": uploadSequence = Int(try json.integer())
    default: try json.skip()
    }
  }

  func write(to json: inout WireJSON) {
    json.object { json in
      json.member(ifAny: "completeListing", completeListing)
      json.member("countDisagreements", Int64(countDisagreements))
      json.member("cursor", cursor)
      if !everListedFields.isEmpty { json.member("everListedFields", everListedFields) }
      json.member(ifAny: "failure", failure)
      json.member("fingerprint", fingerprint)
      json.member(ifAny: "importing", importing)
      json.member("isCountForbidden", isCountForbidden)
      json.member("isInitialSyncDone", isInitialSyncDone)
      json.member(ifAny: "lastImport", lastImport)
      if let listedFields { json.member("listedFields", listedFields) }
      json.member(ifAny: "logPosition", logPosition)
      if needsLoginToCreate { json.member("needsLoginToCreate", true) }
      json.member("removals", removals)
      json.member(ifAny: "scan", scan)
      json.member("unknownFields", unknownFields)
      json.member("unseenFields", unseenFields)
      json.member("uploadSequence", Int64(uploadSequence))
    }
  }
}

extension ClassState.ImportProgress: Note {
  init(from json: inout JSONText) throws(JSONText.Malformed) {
    var (listingID, lastPage) = (String?.none, Int64?.none)
    try json.members { json, name throws(JSONText.Malformed) in
      switch name {
      case "lastPage": lastPage = try json.integer()
      case "listingID": listingID = try json.text()
      default: try json.skip()
      }
    }
    guard let listingID, let lastPage else { throw JSONText.Malformed() }
    self.init(listingID: listingID, lastPage: Int(lastPage))
  }

  func write(to json: inout WireJSON) {
    json.object { json in
      json.member("lastPage", Int64(lastPage))
      json.member("listingID", listingID)
    }
  }
}

extension ClassState.Failure: Note {
  init(from json: inout JSONText) throws(JSONText.Malformed) {
    var (isForbidden, message) = (Bool?.none, String?.none)
    try json.members { json, name throws(JSONText.Malformed) in
      switch name {
      case "isForbidden": isForbidden = try json.boolean()
      case "message": message = try json.text()
      default: try json.skip()
      }
    }
    guard let isForbidden, let message else { throw JSONText.Malformed() }
    self.init(isForbidden: isForbidden, message: message)
  }

  func write(to json: inout WireJSON) {
    json.object { json in
      json.member("isForbidden", isForbidden)
      json.member("message", message)
    }
  }
}
