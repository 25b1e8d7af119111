// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Says which classes a run leaves out because an earlier run failed at them.
///
/// A class that the run downloads is not among them: its download finds out anew.
struct EarlierFailuresStage: Stage {
  let name: StageName? = nil

  func run(in context: StageContext) throws(SyncError) {
    let downloads = context.request.selection.stages.contains(.download)
    for entity in context.schema.entities where !(downloads && context.asks(entity)) {
      let state = try context.state(.classState(entity.name))
      guard let failure = state.failure else { continue }
      context.notice(
        SyncNotice(
          .classFailed, className: entity.name,
          "An earlier run failed at \(entity.name), so this run leaves the class out as well. "
            + "Download the class again to go on with it. The reason was: \(failure.message)"))
    }
  }
}
