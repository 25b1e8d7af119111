// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// A reader of the store with a mistake.
struct MistakenReader: Mistaken {
  let reader: any SyncReader
  let mistake: Mistake
}
