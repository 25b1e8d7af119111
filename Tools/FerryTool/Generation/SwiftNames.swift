// Ferry: offline-first sync for Parse Server. MIT licence.

/// The names that classes and fields have in Swift.
///
/// The server allows names that Swift does not, or that mean something else there. Most keep their name, in
/// backticks where it is a keyword. The others get a word behind it.
enum SwiftNames {
  /// The names of the structs, in the order of the classes.
  ///
  /// A class keeps its name where it can. Only then do the other classes get one that is left.
  static func types(of classNames: [String]) -> [String] {
    var taken = Set(classNames.filter(isType))
    return classNames.map { name in
      if isType(name) { return name }
      let plain = name.hasPrefix("_") ? String(name.dropFirst()) : name
      let type = plain.prefix(1).uppercased() + plain.dropFirst()
      return free(type, suffix: "Row", taken: &taken, isRefused: typesOfOthers.contains)
    }
  }

  /// The names of the properties, in the order of the fields.
  static func properties(of fieldNames: [String]) -> [String] {
    var taken = Set(fieldNames.filter { !unusableMembers.contains($0) })
    return fieldNames.map { name in
      guard unusableMembers.contains(name) else { return name }
      return free(name, suffix: "Field", taken: &taken, isRefused: unusableMembers.contains)
    }
  }

  /// The name as it stands in a declaration.
  static func quoted(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  private static func isType(_ name: String) -> Bool {
    name.utf8.first.map { (65...90).contains($0) } == true && !typesOfOthers.contains(name)
  }

  /// The first of a name and its longer forms that nothing else has.
  private static func free(
    _ name: String, suffix: String, taken: inout Set<String>, isRefused: (String) -> Bool
  ) -> String {
    var name = name
    while isRefused(name) || taken.contains(name) { name += suffix }
    taken.insert(name)
    return name
  }

  /// Types that an app uses beside its structs: of Swift, of Foundation and of Ferry.
  private static let typesOfOthers = words(
    """
    Actor Any AnyActor AnyClass AnyHashable AnyKeyPath AnyObject AnySequence Array ArraySlice AsyncIteratorProtocol \
    AsyncSequence AsyncStream AsyncThrowingStream AttributedString Bool Bundle Calendar CancellationError Character \
    Clock ClosedRange Codable CodingKey CodingKeys CodingUserInfoKey Collection Comparable ContiguousArray \
    ContinuousClock CustomStringConvertible Data DataProtocol Date DateComponents DateFormatter DateInterval Decimal \
    Decodable Decoder Dictionary DispatchQueue Double Duration Encodable Encoder Equatable Error Executor FieldName \
    FileHandle FileManager Float Foundation Hashable Hasher Identifiable IndexPath IndexSet Int Int16 Int32 \
    Int64 Int8 IteratorProtocol JSONDecoder JSONEncoder KeyPath Locale MainActor Measurement Mirror Mutex Never \
    NotificationCenter Notification NumberFormatter ObjectIdentifier Observable Operation OperationQueue Optional \
    OptionSet Process ProcessInfo Progress Protocol Range RangeReplaceableCollection RawRepresentable Regex Result \
    RunLoop Scanner Self Sendable Sequence Set Stream String StringProtocol Substring Swift Task TaskGroup Thread \
    TimeInterval TimeZone Timer Type UInt UInt16 UInt32 UInt64 UInt8 URL URLComponents URLRequest URLSession UUID \
    Unicode Unit UnsafePointer Void WritableKeyPath \
    AccessList AccountError Aggregate Author BackendAnswer BackendStore CancellationSignal Change ClassSyncState CloudFunctions Condition ConflictPolicies ConflictPolicy ConflictRecord \
    ConflictRestoration CredentialFileError CredentialStore Credentials CurlOptions CurlTransport DefaultAccess DeletionPolicy DeletionStrategy EntitiesBuilder Entity EvictionReport Ferry FerryBackend FerryCurl FerryEngine \
    FerryHTTP FerryModel FerryParse FerryPlanning FerrySQLite FerryStore Field FieldChoice FieldConflict FieldMerge FieldType ReplacedFiles \
    Fields FieldsBuilder FieldValue File FileCache FileComparison FileCredentialStore FileDifference FileError FileFetch FileProgress FileUploadProgress FetchedRecords FunctionError GeoArea GeoPoint GuardedRemoval HTTPBodyReceiver HTTPBodySource HTTPError HTTPHeaders HTTPLimits HTTPMethod HTTPRequest \
    HTTPResponse HTTPTransport HistoryExtent HistoryFilter HistoryPage HistoryReader HistoryToken HistoryTransaction \
    InMemoryStore Index JSONExport KeptFile KeptObject KeptRow LazyRecord LazyRecords ListChange ListDifference ListSection LiveExamination LiveQueries LiveState LocalID LogOutPolicy LogOutReport LostUpload Membership ObjectImportReport ObjectLeftOut ObjectReader ObjectSource ObjectSourceError ObservedValue \
    ParseAccounts ParseError ParseLocalDatastore ParseServer ParseServerError ParseUser PendingChange Pointer PrefetchedFile QuarantinedRecord Query QueryPlan Record \
    RecordConflict RecordEdit RecordReference RecordSerializer RefusalMeaning RemoteRecord RemovalLimit SQLReader SQLTransaction \
    SQLiteStore Schema SchemaError Secret SectionedListChange SectionedListDifference ServerExamination ServerModule \
    ServerVersion Snapshot SnapshotConflict SortOrder StageName StageSelection StagedDownload Store StoreAdoption StoreChange StoreError \
    StoreInspection StoreObservation StorePlace StoreReader StoreTransaction SyncAccess SyncAction SyncComparison \
    SyncConfiguration SyncConfigurationError SyncCoordinator SyncEntity SyncEnvironment SyncError SyncEvent \
    SyncNotice SyncOptions SyncPlan SyncProgress SyncReport SyncRun SyncSchedule SyncState SyncStatus SyncStores SyncStoresError SyncUser Summary TextMatch TextOptions \
    Timestamp TypedCondition TypedOrder UndoResult UnsentFile UnsentState Value WatchedTransport WebSocketClient WebSocketConnection WebSocketEvent WebSocketLimits WebSocketTransport
    """)

  /// Names that no property can have: Swift's own, those of the nested types, and of the types of properties.
  private static let unusableMembers = words(
    """
    self Self Type Protocol init CodingKeys FieldName Bool CodingKey Condition Data Date Double Entity Equatable Field \
    File GeoPoint Int LocalID Pointer Schema String SyncEntity Timestamp UInt8 Value
    """)

  /// Words that need backticks somewhere; backticks that are not needed change nothing.
  private static let keywords = words(
    """
    Any Protocol Self Type actor any as associatedtype async await borrow borrowing break case catch class consume \
    consuming continue copy default defer deinit discard do each else enum extension fallthrough false fileprivate for \
    func guard if import in indirect init inout internal is isolated let macro nil nonisolated open operator package \
    precedencegroup private protocol public repeat rethrows return self sending some static struct subscript super \
    switch then throw throws true try typealias unsafe var where while yield
    """)

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(separator: " ").map(String.init))
  }
}
