// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryEngine
public import FerryPlanning

/// The settings of the devices and of the server of a world.
public struct WorldSettings: Sendable {
  /// The number of devices.
  public var deviceCount = 2
  /// Whether the server accepts ids that clients choose.
  public var allowsCustomIDs = false
  /// Whether the local value stays where both sides changed a field.
  public var localWins = false
  /// Whether an edit takes back a delete.
  public var editWins = false
  /// The users whose data the devices hold; empty where nobody logs in.
  public var owners: [User] = []
  /// Whether another client changes who may read and write rows.
  public var hasAccessLists = false
  /// Whether apps and another client change the access lists of rows, which leave everyone all rights.
  public var sharesRows = false
  /// Whether the server's owner changes what everybody may do with a class.
  public var hasClassRights = false
  /// Whether the server's owner drops fields, and another client writes one that no device declares.
  public var hasSchemaChanges = false
  /// The most rows that the server gives at once; nil for no bound.
  public var maxLimit: Int?
  /// Whether batch requests always fail.
  public var brokenBatch = false
  /// The settings of every sync.
  public var sync = SyncOptions()
  /// Whether another client writes values that no device can read.
  public var hasUnreadable = false
  /// Whether older programs start on the devices, which do not declare the later fields.
  public var hasOlderPrograms = false
  /// Whether programs start on the devices that declare a field with another type.
  public var hasRetypedPrograms = false
  /// Whether each device has two programs on its store.
  public var hasTwoPrograms = false
  /// Whether both programs of a device have one staging folder.
  public var sharesStaging = true
  /// A trigger of the app on each device; nil for none.
  public var trigger: AppTrigger?
  /// Whether apps take edits back, and have changes sent again.
  public var takesBack = false
  /// Decides for which classes each sync asks; nil where each sync asks for all.
  public var chosenClasses: UInt64?
  /// Whether each sync is planned first while nothing goes wrong.
  public var plans = false
  /// When each device syncs by itself; nil where it syncs at fixed times.
  public var schedule: SyncSchedule?
  /// Whether a sync that asks for some classes is planned before the others, too.
  public var plansChosenClasses = false
  /// Whether the devices' files are on simulated disks.
  public var hasSimulatedDisks = false
  /// Whether the answers of the server say what it holds.
  ///
  /// A device believes the answers. So no rule about rows and values holds where they are made up; each sync
  /// must still end, within its requests, and with an error that is expected.
  public var isServerTruthful = true

  /// The defaults.
  public init() {}

  /// Whether users log in.
  var hasUsers: Bool { !owners.isEmpty }

  /// The user whose data a device holds; nil for nobody.
  func owner(of device: Int) -> User? {
    owners.isEmpty ? nil : owners[device % owners.count]
  }

  var conflicts: ConflictPolicy { localWins ? .localWins : .remoteWins }
  var deletions: DeletionPolicy { editWins ? .editWins : .deleteWins }
}
