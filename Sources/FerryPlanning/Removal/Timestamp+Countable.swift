// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension Timestamp {
  /// 2000-01-01.
  ///
  /// Every count covers records created since then, because without a real constraint the server
  /// returns an estimate.
  package static let countable = Timestamp(milliseconds: 946_684_800_000)
}
