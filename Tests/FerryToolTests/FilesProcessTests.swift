// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// `ferry files`, as a process.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct FilesProcessTests {
  private static let classes = """
    { "Photo": { "fields": { "title": { "type": "String" }, "image": { "type": "File" } } } }
    """

  /// A folder that is in step with a server with a photo, whose file has these bytes; and the photo's name.
  private func world(
    _ bytes: [UInt8], _ name: String = "a.bin", title: String = "Beach"
  ) async throws -> (ToolWorld, name: String) {
    let world = try ToolWorld()
    let stored = try photo(in: world, bytes, name, title)
    try world.configure(classes: Self.classes)
    #expect(try await world.ferry("sync").code == 0)
    return (world, stored)
  }

  private func photo(
    in world: ToolWorld, _ bytes: [UInt8], _ name: String, _ title: String
  ) throws -> String {
    let upload = LoopbackRequest(
      "POST", "/parse/files/\(name)",
      headers: ["X-Parse-Application-Id": "app1", "Content-Type": "application/octet-stream"],
      body: bytes)
    let answer = world.server.withBackend { $0.answer(upload) }
    let stored = try #require(answer.json?["name"]?.string)
    _ = try world.server.withBackend { backend throws(LoopbackError) in
      try backend.create(
        "Photo",
        [
          "title": .string(title),
          "image": ["__type": "File", "name": .string(stored), "url": "http://x/y"],
        ])
    }
    return stored
  }

  @Test func `watch fetches the files of a field as records come`() async throws {
    let (world, name) = try await world([1, 2, 3])
    let watching = try world.start("watch", "--interval", "1", "--prefetch", "Photo.image")
    #expect(await eventually { (try? world.keptFiles()) == 1 })
    let later = try photo(in: world, [4, 5], "b.bin", "Mountain")
    #expect(await eventually { (try? world.keptFiles()) == 2 })
    // The name of a file is noted a moment after its content.
    var list = ""
    for _ in 0..<100 where !list.contains(later) {
      try await Task.sleep(for: .milliseconds(100))
      list = try await world.ferry("files", "list").output
    }
    #expect(list.contains(name) && list.contains(later))
    watching.send(SIGINT)
    let result = await watching.result()
    #expect(result.code == 0 && !result.errors.contains("Warning"), "\(result.errors)")
    for word in ["Photo", "Photo.title", "Foto.image", "Photo.image.x", "."] {
      let wrong = try await world.ferry("watch", "--prefetch", word)
      #expect(wrong.code == 64 && wrong.errors.contains("is no file field"), "\(wrong.errors)")
    }
  }

  @Test func `a file is fetched, listed, copied and pruned`() async throws {
    let bytes = [UInt8](repeating: 7, count: 250_000)
    let (world, name) = try await world(bytes)
    #expect(try await world.ferry("files").output == "No file is kept.\n")
    let got = try await world.ferry("files", "get", "--class", "Photo", "--id", "1")
    #expect(got.code == 0, "\(got.errors)")
    let path = got.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(path.hasPrefix(world.path("files/contents/")))
    #expect(FileManager.default.contents(atPath: path) == Data(bytes))
    world.server.stop()
    let copied = try await world.ferry(
      "files", "get", "--class", "Photo", "--id", "1", "--field", "image", "--out", "copy.bin")
    #expect(copied.code == 0, "\(copied.errors)")
    #expect(FileManager.default.contents(atPath: world.path("copy.bin")) == Data(bytes))
    let list = try await world.ferry("files", "list")
    #expect(list.output.hasPrefix("\(name): 250 kB, used 20"))
    #expect(list.output.hasSuffix("1 file here, 250 kB.\n"))
    #expect(try await world.ferry("files", "prune", "250kB").output == "No file had to leave.\n")
    let pruned = try await world.ferry("files", "prune", "0")
    #expect(pruned.output == "Removed 1 file, 250 kB. \"ferry files get\" fetches again.\n")
    #expect(!FileManager.default.fileExists(atPath: path))
    let offline = try await world.ferry("files", "get", "--class", "Photo", "--id", "1", "--json")
    #expect(offline.code == 69 && offline.lastMessage?["name"] as? String == "unreachable")
  }

  @Test func `a command that names no file says why, and fetches none`() async throws {
    let (world, _) = try await world([1])
    try await world.sql("INSERT INTO Photo (title) VALUES ('no file')")
    let lines = [
      (["get"], "needs --class NAME and --id ID"),
      (["get", "--class", "Photo", "--id", "9"], "has no row"),
      (["get", "--class", "Photo", "--id", "2"], "has no file in"),
      (
        ["get", "--class", "Photo", "--id", "1", "--field", "title"], "no field \"title\" for files"
      ),
      (["list", "--class", "Photo"], "Only \"ferry files get\" and \"ferry files put\" take"),
      (["list", "5MB"], "takes no size"),
      (["prune"], "needs the SIZE"),
      (["prune", "much"], "needs the SIZE"),
      (["prune", "99999999999GB"], "needs the SIZE"),
      (["put"], "needs the PATH of a file"),
      (["put", "absent", "--class", "Photo", "--id", "9"], "has no row"),
      (["take"], "There is no action"),
    ]
    for (arguments, words) in lines {
      let result = try await FerryProcess(["files"] + arguments, in: world.folder.url).result()
      #expect(result.code == 64, "\(arguments)")
      #expect(result.errors.contains(words), "\(result.errors)")
    }
    try world.folder.write("mine", to: "there")
    let copied = try await world.ferry(
      "files", "get", "--class", "Photo", "--id", "1", "--out", "there")
    #expect(copied.code == 73)
    #expect(copied.errors.contains("there: File exists. No file was fetched."), "\(copied.errors)")
    let nowhere = try await world.ferry(
      "files", "get", "--class", "Photo", "--id", "1", "--out", "none/copy")
    #expect(nowhere.code == 73 && nowhere.errors.contains("No file was fetched."))
    #expect(try await world.ferry("files").output == "No file is kept.\n")
    #expect(FileManager.default.contents(atPath: world.path("there")) == Data("mine".utf8))
  }

  @Test func `a new file is listed until a sync has sent it`() async throws {
    let (world, _) = try await world([1])
    let bytes = Data(repeating: 5, count: 300_000)
    try bytes.write(to: URL(filePath: world.path("Strand é.jpg")))
    let put = try await world.ferry("files", "put", "Strand é.jpg", "--class", "Photo", "--id", "1")
    #expect(put.code == 0, "\(put.errors)")
    #expect(
      put.output == "Strand _.jpg: 300 kB, new in image of Photo #1. \"ferry sync\" sends it.\n")
    let list = try await world.ferry("files")
    #expect(
      list.output == "Strand _.jpg: 300 kB, new in image of Photo #1\n"
        + "No file of the server is here.\n1 new file, 300 kB, not on the server yet.\n")
    let outbox = try await world.ferry("outbox")
    #expect(
      outbox.output.contains("update image (Strand _.jpg, 300 kB): ready"), "\(outbox.output)")
    let status = try await world.ferry("status")
    #expect(status.output.contains("1 new file goes before the unsent changes, 300 kB."))
    let plan = try await world.ferry("plan")
    #expect(
      plan.output.contains(">f #1 image (The file Strand _.jpg, 300000 bytes.)"), "\(plan.output)")
    #expect(try await world.ferry("sync").code == 0)
    #expect(try await world.ferry("files").output.contains("_Strand _.jpg: 300 kB, used"))
    let prune = try await world.ferry("files", "prune", "0")
    #expect(prune.output.hasPrefix("No file had to leave.\n1 file stays, 300 kB, because a sync"))
    world.server.stop()
    let got = try await world.ferry("files", "get", "--class", "Photo", "--id", "1")
    let path = got.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(FileManager.default.contents(atPath: path) == bytes)
    let absent = try await world.ferry(
      "files", "put", "absent", "--class", "Photo", "--id", "1", "--json")
    #expect(absent.code == 74 && absent.lastMessage?["name"] as? String == "local-storage")
    #expect(
      absent.errors.contains("absent cannot be read: No such file or directory. Nothing was kept."))
    let folder = try await world.ferry("files", "put", "/", "--class", "Photo", "--id", "1")
    #expect(folder.code == 74 && folder.errors.contains("/ is a folder, and no plain file."))
    try world.folder.write("", to: "empty")
    let empty = try await world.ferry(
      "files", "put", "empty", "--class", "Photo", "--id", "1", "--json")
    #expect(empty.code == 65 && empty.lastMessage?["name"] as? String == "file-empty")
  }

  @Test func `verify compares the files of fields on demand`() async throws {
    let (world, name) = try await world([1])
    let equal = try await world.ferry("verify", "--files")
    #expect(equal.code == 0, "\(equal.output)\(equal.errors)")
    #expect(equal.output.contains("1 file was compared, 0 of them with their content here."))
    let delete = LoopbackRequest(
      "DELETE", "/parse/files/\(name)",
      headers: ["X-Parse-Application-Id": "app1", "X-Parse-Master-Key": "mk"])
    _ = world.server.withBackend { $0.answer(delete) }
    #expect(try await world.ferry("verify").code == 0)
    let gone = try await world.ferry("verify", "--files")
    #expect(gone.code == 2)
    #expect(gone.output.contains("1 whose file the server does not have"), "\(gone.output)")
    #expect(gone.output.contains("image (\(name))"), "\(gone.output)")
  }

  @Test func `a put says of a parked or a large file what to do`() async throws {
    let (world, _) = try await world([1])
    try await world.sql("INSERT INTO Photo (title) VALUES ('second')")
    try world.folder.write("<p>", to: "page.html")
    let put = ["files", "put", "page.html", "--class", "Photo", "--id"]
    for id in ["1", "2"] {
      #expect(try await FerryProcess(put + [id], in: world.folder.url).result().code == 0)
    }
    // The files are equal, so one goes.
    #expect(try await world.ferry("status").output.contains("1 new file goes before the unsent"))
    let sync = try await world.ferry("sync")
    #expect(sync.output.contains("Left in Photo: 2 parked."), "\(sync.output)")
    // A warning says each reason in the sync that parks the changes, and the last lines in a later one.
    let reason = "It said: “File upload of extension html is disabled.”"
    #expect(sync.errors.contains(reason) && !sync.output.contains(reason), "\(sync.output)")
    let later = try await world.ferry("sync")
    #expect(
      later.output.contains("parked. ") && later.output.contains("code 130")
        && later.output.contains(reason), "\(later.output)")
    let again = try await FerryProcess(put + ["1"], in: world.folder.url).result()
    #expect(again.output.contains("Its change is parked"), "\(again.output)")
    #expect(again.output.contains("\"ferry outbox retry --class Photo --id 1\""))
    try Data(count: 22_000_000).write(to: URL(filePath: world.path("large.bin")))
    let large = try await world.ferry("files", "put", "large.bin", "--class", "Photo", "--id", "1")
    #expect(large.output.contains("\"ferry sync --max-upload 22MB\" sends it."), "\(large.output)")
  }

  @Test func `a sync whose upload fails says what is left and what the server said`() async throws {
    let (world, _) = try await world([1])
    try world.folder.write("hello", to: "a.txt")
    _ = try await world.ferry("files", "put", "a.txt", "--class", "Photo", "--id", "1")
    world.server.setFault { request in
      guard request.path.contains("/files/") else { return nil }
      return .respond(
        LoopbackResponse(
          status: 400, headers: [:],
          body: Array(#"{"code":130,"error":"Could not store file: a.txt."}"#.utf8)))
    }
    let sync = try await world.ferry("sync")
    #expect(sync.output.contains("Left in Photo: 1 waiting."), "\(sync.output)")
    #expect(
      sync.output.contains("blocked. ") && sync.output.contains("code 130, HTTP 400")
        && sync.output.contains("It said: “Could not store file: a.txt.”"), "\(sync.output)")
    let json = try await world.ferry("sync", "--json")
    let entry = json.messages.first { $0["message_type"] as? String == "entry" }
    #expect(
      (entry?["reason"] as? String)?.contains("Could not store file: a.txt.") == true,
      "\(json.output)")
    #expect(!sync.output.contains("Nothing else is left"))
    #expect(try await world.ferry("status").output.contains("Could not store file: a.txt."))
    #expect(try await world.ferry("outbox").output.contains("Could not store file: a.txt."))
  }

  @Test func `a file that the server does not have, or does not give, is a failure`() async throws {
    let (world, name) = try await world([1])
    world.server.setFault { request in
      guard request.path.contains("/files/") else { return nil }
      return .respond(
        LoopbackResponse(
          status: 200, headers: ["Content-Type": "text/html"], body: Array("<html>".utf8)))
    }
    let page = try await world.ferry("files", "get", "--class", "Photo", "--id", "1", "--json")
    #expect(page.code == 76 && page.lastMessage?["name"] as? String == "not-the-file")
    world.server.setFault(nil)
    let delete = LoopbackRequest(
      "DELETE", "/parse/files/\(name)",
      headers: ["X-Parse-Application-Id": "app1", "X-Parse-Master-Key": "mk"])
    _ = world.server.withBackend { $0.answer(delete) }
    let gone = try await world.ferry("files", "get", "--class", "Photo", "--id", "1", "--json")
    #expect(gone.code == 77 && gone.lastMessage?["name"] as? String == "file-not-found")
    #expect(try await world.ferry("files").output == "No file is kept.\n")
  }

  @Test func `a name of a file stays in one line`() async throws {
    let (world, _) = try await world([1])
    let server = try ScriptedServer { connection in
      _ = connection.readRequest()
      connection.answer(200, "x")
    }
    defer { server.stop() }
    try await world.sql(
      """
      UPDATE Photo SET image = '{"__type":"File","name":"a\\nb\\u2028c","url":"\(server.url("x").absoluteString)"}'
      """)
    let got = try await world.ferry("files", "get", "--class", "Photo", "--id", "1")
    #expect(got.code == 0, "\(got.errors)")
    let list = try await world.ferry("files")
    #expect(list.output.hasPrefix("a\u{FFFD}b\u{FFFD}c: 1 B, used"), "\(list.output)")
  }

  /// The kernel ends the process, wherever it is.
  @Test func `a process that is killed in the middle goes on there`() async throws {
    let (world, _) = try await world([1], "film.bin")
    let content = [UInt8](repeating: 9, count: 10_000_000)
    let first = try ScriptedServer { connection in
      while let request = connection.readRequest() {
        let from = Int(request.value("Range")?.dropFirst(6).dropLast() ?? "") ?? 0
        let range = "Content-Range: bytes \(from)-\(content.count - 1)/\(content.count)\r\n"
        connection.write(
          "HTTP/1.1 \(from > 0 ? "206 Part\r\n\(range)" : "200 OK\r\n")"
            + "Content-Length: \(content.count - from)\r\n\r\n")
        guard from == 0 else {
          connection.write(Array(content[from...]))
          continue
        }
        connection.write(Array(content[..<8_000_000]))
        connection.stall()
      }
    }
    defer { first.stop() }
    let name = "0123456789abcdef0123456789abcdef_film.bin"
    try await world.sql(
      """
      UPDATE Photo SET image = '{"__type":"File","name":"\(name)","url":"\(first.url(name).absoluteString)"}'
      """)
    let killed = try world.start("files", "get", "--class", "Photo", "--id", "1")
    let parts = world.path("files/parts")
    while true {
      let entries = (try? FileManager.default.contentsOfDirectory(atPath: parts)) ?? []
      let sizes = entries.filter { !$0.hasSuffix(".note") }.compactMap {
        try? FileManager.default.attributesOfItem(atPath: "\(parts)/\($0)")[.size] as? Int
      }
      if sizes == [8_000_000], entries.contains(where: { $0.hasSuffix(".note") }) { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    killed.send(SIGKILL)
    _ = await killed.result()
    let got = try await world.ferry("files", "get", "--class", "Photo", "--id", "1")
    #expect(got.code == 0, "\(got.errors)")
    let path = got.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(FileManager.default.contents(atPath: path) == Data(content))
    let from = Int(first.requests.last?.value("Range")?.dropFirst(6).dropLast() ?? "") ?? 0
    #expect(from >= 4_000_000 && from < 8_000_000)
    #expect(try FileManager.default.contentsOfDirectory(atPath: parts).isEmpty)
  }

  @Test func `a large file needs little memory`() async throws {
    let (world, _) = try await world([1], "film.bin")
    let part = [UInt8](repeating: 9, count: 1 << 20)
    let server = try ScriptedServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(64 << 20)\r\n\r\n")
      for _ in 0..<64 { connection.write(part) }
    }
    defer { server.stop() }
    try await world.sql(
      """
      UPDATE Photo SET image = '{"__type":"File","name":"film.bin","url":"\(server.url("film.bin").absoluteString)"}'
      """)
    let got = try await world.ferry("files", "get", "--class", "Photo", "--id", "1")
    #expect(got.code == 0, "\(got.errors)")
    let peak = try #require(got.peakMemory)
    let small = try #require(try await world.ferry("files", "prune", "0").peakMemory)
    #expect(peak < small + 24, "\(peak) MB, and \(small) MB without a file")
  }
}

extension ToolWorld {
  /// The number of files whose contents are here.
  fileprivate func keptFiles() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: path("files/contents")).count
  }
}
