// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore
import Foundation

/// Asks for the members of owners that are due, many owners in one request, and imports them.
struct MemberDownload {
  let context: ClassContext
  let membership: Membership

  private static let ownersPerPage = 1000

  func run() throws(ClassError) {
    let marks = MemberMarks(userID: try context.state(.binding)?.userID)
    let listsAll = context.comparison == .everything
    var last = LocalID(rawValue: 0)
    while true {
      let page = try context.read { reader throws(StoreError) in
        try reader.acknowledged(
          of: membership.ownerClass, after: last, limit: Self.ownersPerPage)
      }
      guard let newest = page.last else { return }
      last = newest.localID
      let notes = try notes(of: page)
      let due = page.filter { owner in
        guard let version = owner.version else { return false }
        return listsAll || marks.isDue(version, notes[owner.objectID])
      }
      try list(due, marks)
    }
  }

  /// The marks of some owners, and of others that are noted with them.
  private func notes(of owners: [StoredVersion]) throws(ClassError) -> [String: String] {
    var notes: [String: String] = [:]
    for part in Set(owners.map { MemberMarks.part(of: $0.objectID) }) {
      let marks = try context.state(.memberMarks(of: context.entity.name, part: part))
      notes.merge(marks) { first, _ in first }
    }
    return notes
  }

  private func list(_ due: [StoredVersion], _ marks: MemberMarks) throws(ClassError) {
    let size = min(
      try context.state(.capabilities).batchLimit ?? .max, ParseRequests.mostWrites)
    for owners in due.chunks(of: size) {
      try context.checkCancellation()
      let (listings, time) = try members(of: owners)
      let lists = zip(owners, listings).map { MemberList(owner: $0, members: $1.members) }
      try MemberImport(context: context, membership: membership).take(lists) {
        marks.mark($0, listedAt: time, delay: context.options.maximumRequestDuration)
      }
    }
  }

  /// The whole lists of some owners, and the server's time before the first of them.
  private func members(
    of owners: [StoredVersion]
  ) throws(ClassError) -> ([MemberListing], Timestamp?) {
    var listings = owners.map { owner in
      MemberListing(
        .member(
          of: Pointer(className: membership.ownerClass, objectID: owner.objectID),
          field: membership.field), limit: context.options.pageSize)
    }
    var time: Timestamp?
    var open = Array(listings.indices)
    while !open.isEmpty {
      try context.checkCancellation()
      let (pages, date) = try pages(open.compactMap { listings[$0].nextQuery })
      time = time ?? date.map(Timestamp.init)
      for (index, page) in zip(open, pages) { try listings[index].absorb(page) }
      open.removeAll { listings[$0].nextQuery == nil }
    }
    return (listings, time)
  }

  private func pages(_ queries: [ParseQuery]) throws(ClassError) -> ([ParsePage], Date?) {
    let works = try context.endingRun { () throws(SyncError) in
      try BatchProbe(context: context.stage).works()
    }
    if queries.count > 1, works { return try batched(queries) }
    let requests = try queries.map { query throws(ClassError) in
      try context.endingRun { () throws(SyncError) in
        try context.stage.request(query, of: membership.memberClass)
      }
    }
    let responses = try context.stage.responses(to: requests)
    return (
      try responses.map { response throws(ClassError) in try page(response.body) },
      responses.first?.date
    )
  }

  private func batched(_ queries: [ParseQuery]) throws(ClassError) -> ([ParsePage], Date?) {
    let request = try context.endingRun { () throws(SyncError) in
      try context.stage.request(reading: queries.map { (membership.memberClass, $0) })
    }
    let response = try context.stage.response(to: request)
    let bodies: [Data]
    do throws(ParseError) {
      bodies = try ParseResponses().batchPages(response, count: queries.count)
        .map { body throws(ParseError) in try body.get() }
    } catch {
      throw ClassError(error)
    }
    return (try bodies.map { body throws(ClassError) in try page(body) }, response.date)
  }

  private func page(_ body: Data) throws(ClassError) -> ParsePage {
    var reader = PageReader(Entity(membership.memberClass, fields: []))
    do {
      return try reader.read(body)
    } catch {
      throw ClassError(error)
    }
  }
}
