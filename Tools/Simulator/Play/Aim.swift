// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// An action and its row, without the reason.
struct Aim: Hashable {
  private let stage: StageName
  private let kind: SyncAction.Kind
  private let className: String
  private let localID: LocalID?
  private let fields: [String]

  init(_ action: SyncAction) {
    stage = action.stage
    kind = action.kind
    className = action.className
    localID = action.localID
    fields = action.fields
  }

  var text: String {
    "\(kind.rawValue) \(className) \(localID?.description ?? "") \(fields.joined(separator: ","))"
  }
}
