// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension Timestamp {
  /// 2000-01-01: every count is of records created since, because without a real constraint the
  /// server gives an estimate.
  package static let countable = Timestamp(milliseconds: 946_684_800_000)
}
