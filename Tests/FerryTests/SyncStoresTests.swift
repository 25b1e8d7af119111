// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// A store for each user, nobody's store and its adoption, and log-outs with unsent changes.
@Suite(.timeLimit(.minutes(2))) struct SyncStoresTests {
  private static let schema = Schema {
    Entity("Note") { Field("text", .text) }.access(.creator())
  }

  private let server: LoopbackServer
  private let folder: TemporaryDirectory
  private let stores: SyncStores
  private let accounts: ParseAccounts

  init() throws {
    server = try LoopbackServer()
    folder = try TemporaryDirectory()
    stores = SyncStores(in: folder.url.appending(path: "stores"), schema: Self.schema)
    accounts = ParseAccounts(
      server: ParseServer(url: try #require(URL(string: server.url)), applicationID: "app1"),
      credentials: FileCredentialStore(at: folder.url.appending(path: "credentials.json")))
  }

  private func sync(_ userID: String?) async throws {
    let place = try stores.place(of: userID)
    let coordinator = SyncCoordinator(
      store: try stores.open(for: userID), server: accounts.server, staging: place.staging)
    _ = try await coordinator.startSync(adopting: place.adopting).report
  }

  private func texts(of userID: String?) async throws -> [String] {
    try await stores.open(for: userID).read { try $0.records(of: "Note") }.compactMap {
      if case .string(let text) = $0["text"] { text } else { nil }
    }.sorted()
  }

  private func write(_ text: String, as userID: String?) async throws {
    _ = try await stores.open(for: userID).write {
      try $0.insert("Note", ["text": .string(text)])
    }
  }

  @Test func `what nobody wrote becomes the new user's, by an explicit call`() async throws {
    try await write("before", as: nil)
    try await sync(nil)
    let anna = try await accounts.signUp(username: "anna", password: Secret("p"))
    #expect(try stores.adopt(by: anna.objectID))
    #expect(try await texts(of: anna.objectID) == ["before"])
    #expect(try await texts(of: nil) == [])
    try await sync(anna.objectID)
    try await accounts.logOut()

    let bert = try await accounts.signUp(username: "bert", password: Secret("p"))
    try await sync(bert.objectID)
    #expect(try await texts(of: bert.objectID) == [])
    try await accounts.logOut()
    try await accounts.logIn(username: "anna", password: Secret("p"))
    try await write("after", as: anna.objectID)
    try await sync(anna.objectID)
    let lists = server.withBackend { backend in
      backend.objects(of: "Note").compactMap { $0["ACL"]?.object?.keys.sorted() }
    }
    #expect(lists == [[anna.objectID], [anna.objectID]])
  }

  @Test func `a user with a store adopts none, and both stores stay`() async throws {
    try await write("anna's", as: "anna")
    try await write("nobody's", as: nil)
    let error = #expect(throws: SyncStoresError.self) { try stores.adopt(by: "anna") }
    #expect(error?.code == .userHasStore)
    #expect(try await texts(of: "anna") == ["anna's"])
    #expect(try await texts(of: nil) == ["nobody's"])
    #expect(try stores.adopt(by: "bert"))
    #expect(try await texts(of: "bert") == ["nobody's"])
    #expect(try !stores.adopt(by: "carl"))
  }

  @Test func `no two owners share a place, whatever their ids`() throws {
    let ids = [
      nil, "", "a", "A", "_41", "\u{4}1", "a/b", "a.b", "..", "nobody-1", "é", "e\u{301}", "a b",
      "a\0b",
    ]
    let places = try ids.map { try stores.place(of: $0).folder.path() }
    #expect(Set(places.map { $0.lowercased() }).count == ids.count)
    for place in places { #expect(place.hasPrefix(folder.url.path())) }
  }

  @Test func `of users who adopt at once, one gets the store`() async throws {
    for round in 0..<5 {
      try await write("\(round)", as: nil)
      let ids = (0..<4).map { "\(round)-\($0)" }
      let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
        for id in ids { group.addTask { [stores] in try stores.adopt(by: id) } }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(winners == 1)
      var texts: [String] = []
      for id in ids { texts += try await self.texts(of: id) }
      #expect(texts == ["\(round)"])
    }
  }

  @Test(arguments: ["", "{", "[]", #"{"nobody":"x"}"#])
  func `a damaged file of owners opens no store`(content: String) async throws {
    try await write("kept", as: nil)
    try Data(content.utf8).write(to: folder.url.appending(path: "stores/owners.json"))
    for body in [{ _ = try stores.open(for: nil) }, { _ = try stores.adopt(by: "a") }] {
      let error = #expect(throws: SyncStoresError.self, performing: body)
      #expect(error?.code == .folder)
    }
    try FileManager.default.removeItem(at: folder.url.appending(path: "stores/owners.json"))
    #expect(try await texts(of: nil) == ["kept"])
  }

  @Test func `a folder that cannot be made is refused with the system's reason`() throws {
    let file = folder.url.appending(path: "file")
    try Data().write(to: file)
    let error = #expect(throws: SyncStoresError.self) {
      try SyncStores(in: file.appending(path: "stores"), schema: Self.schema).open(for: nil)
    }
    #expect(error?.code == .folder)
    #expect(error?.message.contains("cannot be made: Not a directory.") == true, "\(error as Any)")
  }

  @Test func `only the owner of the device can enter the folders`() throws {
    _ = try stores.open(for: "anna")
    for name in ["stores", "stores/user-anna"] {
      let mode = try FileManager.default.attributesOfItem(
        atPath: folder.url.appending(path: name).path())[.posixPermissions]
      #expect((mode as? NSNumber)?.intValue == 0o700)
    }
  }

  @Test(arguments: LogOutPolicy.allCases)
  func `a log-out keeps, discards or refuses unsent changes`(policy: LogOutPolicy) async throws {
    let anna = try await accounts.signUp(username: "anna", password: Secret("p"))
    try await sync(anna.objectID)
    let store = try stores.open(for: anna.objectID)
    #expect(try await accounts.logOut(of: store, unsent: policy) == LogOutReport())
    try await accounts.logIn(username: "anna", password: Secret("p"))
    try await write("unsent", as: anna.objectID)
    do throws(AccountError) {
      let report = try await accounts.logOut(of: store, unsent: policy)
      #expect(policy != .refuse)
      #expect(
        report
          == (policy == .keep ? LogOutReport(kept: 1) : LogOutReport(discarded: 1)))
      #expect(try await accounts.user() == nil)
    } catch {
      #expect(policy == .refuse && error.code == .unsent)
      #expect(try await accounts.user()?.objectID == anna.objectID)
    }
    #expect(try await texts(of: anna.objectID) == (policy == .discard ? [] : ["unsent"]))
  }

  @Test(arguments: [false, true])
  func `what is kept in a store without an exchange stays the user's`(wasBound: Bool) async throws {
    if wasBound {
      // A run as nobody binds the store, and ends there, because the class is for users only.
      let forUsers: LoopbackValue = ["requiresAuthentication": true]
      let declaration = LoopbackRequest(
        "POST", "/parse/schemas/Note",
        headers: ["X-Parse-Application-Id": "app1", "X-Parse-Master-Key": "mk"],
        json: [
          "className": "Note", "fields": ["text": ["type": "String"]],
          "classLevelPermissions": [
            "find": forUsers, "count": forUsers, "get": forUsers, "create": forUsers,
            "update": forUsers, "delete": forUsers, "addField": forUsers,
          ],
        ])
      #expect(server.withBackend { $0.answer(declaration) }.status == 200)
      await #expect(throws: SyncError.self) { try await sync(nil) }
    }
    let anna = try await accounts.signUp(username: "anna", password: Secret("p"))
    try await write("anna's", as: nil)
    let store = try stores.open(for: nil)
    #expect(try await accounts.logOut(of: store, unsent: .keep) == LogOutReport(kept: 1))
    // Neither nobody nor another user sends it.
    let place = try stores.place(of: nil)
    func code() async -> SyncError.Code? {
      let coordinator = SyncCoordinator(
        store: store, server: accounts.server, staging: place.staging)
      do throws(SyncError) {
        _ = try await coordinator.startSync(adopting: [.anonymousData]).report
        return nil
      } catch {
        return error.code
      }
    }
    #expect(await code() == .loginNeeded)
    try await accounts.signUp(username: "bert", password: Secret("p"))
    #expect(await code() == .otherUser)
    try await accounts.logOut()
    try await accounts.logIn(username: "anna", password: Secret("p"))
    #expect(await code() == nil)
    #expect(
      server.withBackend { $0.objects(of: "Note").first?["ACL"]?.object?.keys.first }
        == anna.objectID)
  }

  @Test func `an edit during a log-out is not discarded`() async throws {
    let anna = try await accounts.signUp(username: "anna", password: Secret("p"))
    try await sync(anna.objectID)
    try await write("first", as: anna.objectID)
    let store = try stores.open(for: anna.objectID)
    server.setFault { $0.path.hasSuffix("/logout") ? .slowCommit(.milliseconds(500)) : nil }
    async let report = accounts.logOut(of: store, unsent: .discard)
    try await Task.sleep(for: .milliseconds(200))
    try await write("second", as: anna.objectID)
    #expect(try await report == LogOutReport(kept: 2))
    #expect(try await texts(of: anna.objectID) == ["first", "second"])
  }

  @Test func `a log-out counts and discards nothing of a store that is another's`() async throws {
    let anna = try await accounts.signUp(username: "anna", password: Secret("p"))
    try await sync(anna.objectID)
    try await write("anna's", as: anna.objectID)
    try await accounts.logOut()
    try await accounts.signUp(username: "bert", password: Secret("p"))
    let store = try stores.open(for: anna.objectID)
    #expect(try await accounts.logOut(of: store, unsent: .discard) == LogOutReport())
    #expect(try await texts(of: anna.objectID) == ["anna's"])
  }
}
