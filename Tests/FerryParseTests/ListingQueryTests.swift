// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Testing

@testable import FerryPlanning

@Suite(.timeLimit(.minutes(1)))
struct ListingQueryTests {
  @Test func questionsAreAskedAsPortableQueries() {
    let key = ListingKey(updatedAt: Timestamp(milliseconds: 1_700_000_000_123), objectID: "k9")
    let question = ListingQuery(
      rows: .after(key), until: Timestamp(milliseconds: 1_700_000_005_000), counts: true)
    let query = question.query(keys: ["score", "title"], limit: 500)
    let date = #"{"__type":"Date","iso":"2023-11-14T22:13:20.123Z"}"#
    #expect(
      WireJSON.text(.object(query.parameters)) == """
        {"count":1,"keys":"score,title","limit":500,"order":"updatedAt,objectId","where":{\
        "$or":[{"updatedAt":{"$gt":\(date)}},{"objectId":{"$gt":"k9"},"updatedAt":\(date)}],\
        "updatedAt":{"$gte":\(date),"$lt":{"__type":"Date","iso":"2023-11-14T22:13:25.000Z"}}}}
        """)
  }

  @Test func `versions are asked for without fields, and records by their ids within the filter`() {
    var versions = ListingQuery(
      rows: .from(Timestamp(milliseconds: 1_700_000_000_123)), counts: false)
    versions.content = .versions
    #expect(
      WireJSON.text(.object(versions.query(keys: ["score"], limit: 9).parameters)) == """
        {"keys":"objectId","limit":9,"order":"updatedAt,objectId","where":{\
        "updatedAt":{"$gte":{"__type":"Date","iso":"2023-11-14T22:13:20.123Z"}}}}
        """)
    let named = ListingQuery(rows: .named(["a", "b"], after: "a"), counts: false)
    let filter = ParseConstraint.equal("done", .boolean(true))
    #expect(
      WireJSON.text(.object(named.query(keys: ["score"], limit: 9, filter: filter).parameters))
        == """
        {"keys":"score","limit":9,"order":"objectId","where":{\
        "done":true,"objectId":{"$gt":"a","$in":["a","b"]}}}
        """)
  }
}
