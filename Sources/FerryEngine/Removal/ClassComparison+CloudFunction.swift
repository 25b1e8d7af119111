// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension ClassComparison {
  /// Asks the server's function about the records of ranges, and returns the ranges that are left to list.
  ///
  /// A range is settled if the count of the server is that of the records without those that are gone. Otherwise records
  /// left the filter, or the server has records that are not here, or the answer is wrong: a list says which. Where the
  /// server does not count, nothing else is known of a range, and the answer settles it.
  ///
  /// - Parameters:
  ///   - buckets: The ranges that differ.
  ///   - set: The known differences; the records that are gone are added to it.
  ///   - finding: The findings so far.
  /// - Returns: The ranges to list, in the order of time.
  /// - Throws: The run or the class ends.
  func ask(
    about buckets: [RangeComparison.Bucket], _ set: inout ComparedRecords, _ finding: inout Finding
  ) throws(ClassError) -> [RangeComparison.Bucket] {
    var left = buckets.filter { !$0.isAskedAbout }
    var isUsed = true
    for group in buckets.filter(\.isAskedAbout).grouped(upTo: 100_000) {
      try context.checkCancellation()
      let known = try objectIDs(in: group.map(\.range), set)
      guard isUsed, let gone = try RemovedReading(context: context).gone(among: known) else {
        isUsed = false
        left += group
        continue
      }
      finding.named = finding.named?.union(gone) ?? gone
      try take(gone, &finding.difference, &set)
      finding.difference.reappeared.formUnion(
        known.filter { set.held[$0] != nil && !gone.contains($0) })
      for bucket in group {
        guard let remote = bucket.remote else { continue }
        let range = bucket.range
        if try count([range.lowerBound, range.upperBound], set) != [remote] { left.append(bucket) }
      }
    }
    return left.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Leaves the function alone for a day if the server's answers contradict it.
  ///
  /// A wrong answer can explain a count by other records than those that are gone, in each sync.
  func doubt(_ finding: Finding, after outcome: MissingRemoval.Outcome) throws(ClassError) {
    guard let named = finding.named else { return }
    let reading = RemovedReading(context: context)
    switch outcome {
    case .settled(let shown):
      let wrong = named.intersection(shown).count
      guard wrong > 0 else { return }
      try reading.leaveAlone(
        because: "It names \(wrong.counted("record that is", "records that are")) there.")
    case .unproven:
      // Without a list, the record that had to appear is one that the function left out.
      guard !named.isEmpty, finding.canary == nil else { return }
      try reading.leaveAlone(because: "It leaves out a record that the server does not show.")
    case .hidden: return
    }
  }

  /// The records created within ranges of which the store has a row, a version in quarantine or an unsent delete.
  private func objectIDs(
    in ranges: [RangeComparison.TimeRange], _ set: ComparedRecords
  ) throws(ClassError) -> [String] {
    let parts = try creationTimes().localIDs(createdWithin: ranges)
    let rows = try context.read { reader throws(StoreError) in
      try reader.acknowledged(of: entity.name, created: ranges, among: parts)
    }
    let others = set.deletions.merging(set.quarantined.compactMapValues(\.createdAt)) { $1 }
      .filter { other in ranges.contains { $0.contains(other.value) } }
    return Set(rows.joined().map(\.objectID)).union(others.keys).sorted()
  }
}

extension RangeComparison.Bucket {
  /// Whether questions by id are worth it: records are missing, and their range has not too many rows.
  ///
  /// A range of many rows that is not divided further has few records on the server, which are listed at once.
  fileprivate var isAskedAbout: Bool {
    guard let remote else { return true }
    return remote < local && local <= RangeComparison.askedSize
  }
}
