// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import Testing

/// Credentials in a file.
@Suite(.timeLimit(.minutes(1))) struct FileCredentialStoreTests {
  private let folder: TemporaryDirectory
  private let file: URL
  private let store: FileCredentialStore

  private let anna = Credentials(
    user: ParseUser(
      objectID: "a1", username: "an\"na\n", email: "a@example.com", sessionToken: Secret("r:1")),
    anonymousID: Secret("device"))

  init() throws {
    folder = try TemporaryDirectory()
    file = folder.url.appending(path: "credentials.json")
    store = FileCredentialStore(at: file)
  }

  @Test func `credentials come back as they were kept`() throws {
    #expect(try store.read() == Credentials())
    for credentials in [
      anna, Credentials(), Credentials(anonymousID: Secret("x")),
      Credentials(
        server: "s", user: ParseUser(objectID: "b", isAnonymous: true, sessionToken: Secret(" r "))),
    ] {
      try store.change { $0 = credentials }
      #expect(try store.read() == credentials)
    }
    #expect(try names() == ["credentials.json", "credentials.json.lock"])
  }

  @Test func `only the owner can read the file, whatever the umask`() throws {
    let former = umask(0)
    defer { umask(former) }
    try store.change { $0 = anna }
    let mode = try FileManager.default.attributesOfItem(atPath: file.path())[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
  }

  @Test func `a file that others can read is not used, and no secret is shown`() throws {
    try store.change { $0 = anna }
    chmod(file.path(), 0o644)
    let error = #expect(throws: CredentialFileError.self) { try store.read() }
    #expect(error?.code == .exposed)
    #expect("\(anna)".contains("r:1") == false)
    #expect("\(anna)".contains("device") == false)
  }

  @Test(arguments: ["", "{", "[]", "null", "not json", #"{"objectId":"#])
  func `a damaged file is named, and stays as it is`(content: String) throws {
    try Data(content.utf8).write(to: file)
    chmod(file.path(), 0o600)
    let error = #expect(throws: CredentialFileError.self) { try store.read() }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains(file.path()) == true)
    #expect(try Data(contentsOf: file) == Data(content.utf8))
  }

  @Test func `a file that cannot be written leaves the earlier one`() throws {
    let taken = folder.url.appending(path: "taken")
    try Data().write(to: taken)
    let missing = FileCredentialStore(at: taken.appending(path: "credentials.json"))
    let error = #expect(throws: CredentialFileError.self) { try missing.change { $0 = anna } }
    #expect(error?.code == .unwritable)
    try FileManager.default.removeItem(at: taken)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    #expect(throws: CredentialFileError.self) { try store.change { $0 = anna } }
    #expect(throws: CredentialFileError.self) { try store.read() }
    #expect(try names() == ["credentials.json", "credentials.json.lock"])
  }

  @Test func `a missing folder is made for its owner alone`() throws {
    let url = folder.url.appending(path: "new")
    try FileCredentialStore(at: url.appending(path: "credentials.json")).change { $0 = anna }
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path())
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func `what cannot be read again is not written, and a link is not followed`() throws {
    let long = Credentials(
      user: ParseUser(objectID: String(repeating: "x", count: 1 << 16), sessionToken: Secret("r")))
    let error = #expect(throws: CredentialFileError.self) { try store.change { $0 = long } }
    #expect(error?.message.contains("too long") == true)
    #expect(try store.read() == Credentials())
    try FileManager.default.createSymbolicLink(
      at: file, withDestinationURL: folder.url.appending(path: "elsewhere"))
    #expect(throws: CredentialFileError.self) { try store.read() }
    #expect(throws: CredentialFileError.self) { try store.change { $0 = anna } }
  }

  @Test func `an error of a change leaves the file, and the part of a killed process goes`() throws
  {
    try store.change { $0 = anna }
    try Data("r:1".utf8).write(to: folder.url.appending(path: "credentials.json.part"))
    struct Mishap: Error {}
    #expect(throws: Mishap.self) {
      try store.change {
        $0.user = nil
        throw Mishap()
      }
    }
    #expect(try store.read() == anna)
    try store.change { $0.user = nil }
    #expect(try names() == ["credentials.json", "credentials.json.lock"])
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path()).sorted()
  }

  @Test func `several writers at once leave the whole of one`() async throws {
    let all = (0..<8).map {
      Credentials(user: ParseUser(objectID: "\($0)", sessionToken: Secret("r:\($0)")))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for credentials in all {
        group.addTask { [store] in for _ in 0..<20 { try store.change { $0 = credentials } } }
      }
      for _ in 0..<100 {
        let read = try store.read()
        #expect(read == Credentials() || all.contains(read))
      }
      try await group.waitForAll()
    }
  }
}
