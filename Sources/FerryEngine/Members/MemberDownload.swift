// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Asks for the members of owners that are due, many owners in one request, and imports them.
struct MemberDownload {
  let context: ClassContext
  let membership: Membership

  private static let ownersPerPage = 1000
  /// How many owners wait in memory for being listed.
  private static let mostDue = 20_000

  /// - Returns: The owners whose members could not be listed, and why the first of them could not.
  func run() throws(ClassError) -> RefusedOwners {
    var marks = try context.read { reader throws(StoreError) in
      try MemberMarks(of: context.entity.name, in: reader)
    }
    var gone = marks.owners
    var refused = RefusedOwners()
    var due: [StoredVersion] = []
    var last = LocalID(rawValue: 0)
    while true {
      let page = try context.read { reader throws(StoreError) in
        try reader.acknowledged(
          of: membership.ownerClass, after: last, limit: Self.ownersPerPage)
      }
      guard let newest = page.last else { break }
      last = newest.localID
      gone.subtract(page.map(\.objectID))
      due += try self.due(among: page, marks)
      if due.count >= Self.mostDue {
        try list(due, &marks, &refused)
        due = []
      }
    }
    try list(due, &marks, &refused)
    let importing = MemberImport(context: context, membership: membership)
    try importing.forget(gone, &marks)
    if refused.first == nil { try importing.noteAllListed(&marks) }
    return refused
  }

  private func due(
    among owners: [StoredVersion], _ marks: MemberMarks
  ) throws(ClassError) -> [StoredVersion] {
    if context.comparison == .everything { return owners.filter { $0.version != nil } }
    let hidden = owners.reduce(into: Set<String>()) { $0.formUnion(marks.hidden(of: $1.objectID)) }
    let here =
      hidden.isEmpty
      ? [:]
      : try context.read { reader throws(StoreError) in
        try reader.versions(of: membership.memberClass, objectIDs: hidden.sorted())
      }
    return owners.filter { owner in
      marks.isDue(owner)
        || marks.hidden(of: owner.objectID).contains { here[$0]?.createdAt != nil }
    }
  }

  /// Lists members, the owners of one note of marks after those of another: so each note is written once.
  private func list(
    _ due: [StoredVersion], _ marks: inout MemberMarks, _ refused: inout RefusedOwners
  ) throws(ClassError) {
    guard !due.isEmpty else { return }
    let importing = MemberImport(context: context, membership: membership)
    let sorted = due.sorted {
      (MemberMarks.part(of: $0.objectID), $0.localID)
        < (MemberMarks.part(of: $1.objectID), $1.localID)
    }
    let chunks = sorted.chunks(of: ParseRequests.mostWrites)
    do throws(ClassError) {
      for (index, owners) in chunks.enumerated() {
        try context.checkCancellation()
        let next = index + 1 < chunks.count ? chunks[index + 1].first : nil
        try list(owners, importing, &marks, &refused, next: next)
      }
    } catch {
      // Otherwise the next sync would list these owners again.
      try? importing.keep(&marks)
      throw error
    }
  }

  private func list(
    _ owners: [StoredVersion], _ importing: MemberImport, _ marks: inout MemberMarks,
    _ refused: inout RefusedOwners, next: StoredVersion?
  ) throws(ClassError) {
    var listings = owners.map { owner in
      MemberListing(
        .member(
          of: Pointer(className: membership.ownerClass, objectID: owner.objectID),
          field: membership.field), limit: context.options.pageSize)
    }
    let answers = try MemberQueries(context: context, membership: membership).whole(&listings)
    var lists: [MemberList] = []
    for (owner, result) in zip(owners, answers.results) {
      switch result {
      case .success(let members):
        lists.append(
          MemberList(
            owner: owner, members: members, formerlyHidden: marks.hidden(of: owner.objectID)))
      case .failure(let failure): refused.add(owner.objectID, failure)
      }
    }
    // A class that refuses everyone would refuse the others, too.
    if lists.isEmpty, owners.count > 1, let first = refused.first {
      throw .failsClass(first.failure)
    }
    try importing.take(
      lists, listedAt: answers.time.map(Timestamp.init), &marks, writingMarksBefore: next)
  }
}
