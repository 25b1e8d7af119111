// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// The example `notes`, as people use it: in a terminal.
@Suite(.timeLimit(.minutes(5))) struct NotesTests {
  @Test func `one person starts offline, makes an account, and comes back`() async throws {
    let world = try NotesWorld()
    let network = try world.network(of: "a")
    network.close()
    let notes = try world.start("a")
    await notes.shows("Notes of nobody", "offline")
    notes.type("new Buy milk")
    await notes.shows("Buy milk   (private, unsent)", "1 unsent", "not logged in", "offline")
    notes.type("folder Home")
    await notes.shows("folder Home")
    notes.type("new Paint the door")
    await notes.shows("Paint the door   (in Home, private, unsent)", "3 unsent")
    await notes.hides("Buy milk")

    try network.open()
    // The store now has data of nobody, so the next sync must adopt it.
    notes.type("sync")
    await notes.shows("Synced in part: type unsent.")
    await notes.become("anna", bySignUp: true)
    // The notes of nobody are the new user's.
    await notes.shows("Buy milk   (private)", "Paint the door   (in Home, private)", "all sent")
    let sent = try world.notes()
    #expect(Set(sent.keys) == ["Buy milk", "Paint the door"])
    for row in sent.values {
      let list = try #require(row["ACL"]?.object)
      #expect(list.count == 1 && list["*"] == nil)
    }

    notes.type("search MÍLK")
    await notes.shows("with “MÍLK”", "Buy milk")
    await notes.hides("Paint")
    notes.type("search")
    await notes.shows("Paint")
    let milk = try notes.number(of: "Buy milk")
    notes.type("done \(milk)")
    await notes.shows("✓ Buy milk")
    notes.type("undo")
    await notes.shows("· Buy milk", "Undone: 1 change.")
    notes.type("frobnicate")
    await notes.shows("There is no command frobnicate. Nothing was changed.")
    notes.type("edit 99 nothing")
    await notes.shows("There is no note 99, so nothing was changed.")
    notes.type("quit")
    #expect(await notes.end().contains("ended 0"))

    let again = try world.start("a")
    await again.shows(
      "Notes of anna", "Buy milk   (private)", "Paint the door   (in Home, private)")
    // Another program on the same folder changes the list, too.
    let beside = try world.start("a")
    await beside.shows("Notes of anna")
    beside.type("new From beside")
    await again.shows("From beside   (private")
    again.type("undo")
    await beside.hides("From beside")
    again.type("rm \(milk)")
    await again.hides("Buy milk")
    #expect(await eventually { (try? world.notes().keys.sorted()) == ["Paint the door"] })
  }

  @Test(arguments: TestServer.Kind.all)
  func `two devices side by side edit one note offline, and lose no value`(
    on kind: TestServer.Kind
  ) async throws {
    let world = try NotesWorld(kind)
    let (near, far) = (try world.start("a"), try world.start("b"))
    await near.become("anna", bySignUp: true)
    await far.become("anna", bySignUp: false)
    near.type("new Tea at four")
    // Nobody presses a key there.
    await far.shows("Tea at four   (private)")
    far.type("new Cake")
    await near.shows("Cake   (private)", "Tea at four   (private)", "all sent")

    try await editOffline(near, "Tea at five", far, "Tea at six", instead: "Tea at four", in: world)
    far.type("conflicts")
    await far.shows("text: lost \"Tea at six\", kept \"Tea at five\"")
    far.type("restore \(try far.number(of: "text: lost"))")
    // The value that had lost comes to both.
    for device in [near, far] { await device.shows("Tea at six   (private)", "all sent") }
    await far.hides("in conflict: type conflicts")

    // A conflict can also be left as it is; once is enough.
    guard kind == .double else { return }
    try await editOffline(near, "Apple cake", far, "Cheese cake", instead: "Cake", in: world)
    far.type("seen")
    await far.hides("in conflict: type conflicts")
    far.type("conflicts")
    await far.shows("No value was lost.", "Apple cake   (private)")
    let texts = try world.notes().keys.sorted()
    #expect(texts == ["Apple cake", "Tea at six"])
  }

  /// Edits a note on both devices offline, and lets first the one and then the other sync.
  private func editOffline(
    _ near: NotesProgram, _ nearText: String, _ far: NotesProgram, _ farText: String,
    instead text: String, in world: NotesWorld
  ) async throws {
    let (nearNetwork, farNetwork) = (try world.network(of: "a"), try world.network(of: "b"))
    for network in [nearNetwork, farNetwork] { network.close() }
    near.type("edit \(try near.number(of: text)) \(nearText)")
    far.type("edit \(try far.number(of: text)) \(farText)")
    await near.shows("\(nearText)   (private, unsent)", "1 unsent", "offline · next try")
    await far.shows("\(farText)   (private, unsent)", "1 unsent", "offline · next try")
    // At the same moment, the last commit would win: Parse Server has no conditional update.
    try nearNetwork.open()
    near.type("sync")
    await near.shows("Synced.", "\(nearText)   (private)", "all sent")
    try farNetwork.open()
    far.type("sync")
    await far.shows("\(nearText)   (private)", "all sent", "1 in conflict: type conflicts")
  }

  @Test(arguments: TestServer.Kind.all)
  func `another user sees what is shared, and nothing else`(on kind: TestServer.Kind) async throws {
    let world = try NotesWorld(kind)
    let (anna, bert) = (try world.start("a"), try world.start("b"))
    await anna.become("anna", bySignUp: true)
    await bert.become("bert", bySignUp: true)
    bert.type("whoami")
    await bert.shows("bert, with the id")
    let id = try #require(
      bert.screen.split(separator: "\n").first { $0.contains("with the id") }?.split(separator: " ")
        .last)

    anna.type("new Diary")
    anna.type("new @everyone Party on Sunday")
    anna.type("new @\(id) For Bert alone")
    await anna.shows(
      "all sent", "Diary   (private)", "Party on Sunday   (everyone reads)",
      "For Bert alone   (shared)")
    await bert.shows("Party on Sunday   (everyone reads)", "For Bert alone   (shared)")
    await bert.shows("all sent")
    #expect(!bert.screen.contains("Diary"))
    bert.type("edit \(try bert.number(of: "Party on Sunday")) Party on Monday")
    await bert.shows(
      "is another user's. You may only read it. Nothing was changed.", "Party on Sunday")
    anna.type("share \(try anna.number(of: "Diary")) everyone")
    await anna.shows("Diary   (everyone reads)", "all sent")
    await bert.shows("Diary   (everyone reads)")
    anna.type("share \(try anna.number(of: "Diary")) nobody")
    await anna.shows("Diary   (private)", "all sent")
    await bert.hides("Diary")
    anna.type("share \(try anna.number(of: "Diary")) bert")
    await anna.shows("bert is no user's id, which whoami shows. Nothing was shared.")
    bert.type("share 99 everyone")
    await bert.shows("There is no note 99, so nothing was changed.")
    // Without a login there is only what everyone may read.
    let guest = try world.start("c")
    await guest.shows("Party on Sunday   (everyone reads)")
    #expect(!guest.screen.contains("Diary") && !guest.screen.contains("Bert"))
    guest.type("new @everyone Mine")
    await guest.shows("Nobody is logged in, so nothing was shared. Log in first.")
  }

  @Test(arguments: ["keep", "discard"])
  func `a log-out asks what becomes of unsent notes`(choice: String) async throws {
    let world = try NotesWorld()
    let network = try world.network(of: "a")
    let notes = try world.start("a")
    await notes.become("anna", bySignUp: true)
    await notes.shows("synced")
    network.close()
    notes.type("new Unsent")
    await notes.shows("Unsent   (private, unsent)")
    notes.type("logout")
    await notes.shows(
      "has 1 unsent change", "keep them for your next log-in, discard them, or stay?")
    notes.type("stay")
    await notes.shows("\n>", "Notes of anna")
    func logOutByChoice() async {
      notes.type("logout")
      await notes.shows("or stay?")
      notes.type(choice)
      // The server cannot end the session now.
      await notes.shows("log out on this device all the same (yes or no)?")
    }
    await logOutByChoice()
    notes.type("no")
    await notes.hides("(yes or no)")
    await notes.shows("Unsent   (private, unsent)", "Notes of anna")
    await logOutByChoice()
    notes.type("yes")
    await notes.shows("Notes of nobody")
    await notes.hides("Unsent")
    try network.open()
    await notes.become("anna", bySignUp: false)
    await notes.shows("all sent", "synced")
    #expect(try world.notes().keys.sorted() == (choice == "keep" ? ["Unsent"] : []))
    #expect(notes.screen.contains("Unsent") == (choice == "keep"))
  }

  @Test func `words too many, long names and joined characters are understood, or refused`()
    async throws
  {
    let notes = try NotesWorld().start("a")
    await notes.shows("Notes of nobody")
    notes.type("new A family 👨\u{200D}👩\u{200D}👧 of three")
    await notes.shows("A family 👨\u{200D}👩\u{200D}👧 of three   (private")
    let number = try notes.number(of: "A family")
    for line in ["rm \(number) 2", "done \(number) and the other", "undo it", "logout now"] {
      notes.type(line)
      let command = line.prefix { $0 != " " }
      await notes.shows("\(command) takes fewer words. Nothing was changed.", "A family")
      notes.type("help")
      await notes.hides("fewer words")
    }
    notes.type("restore")
    await notes.shows("The command conflicts shows the numbers.")
    let name = String(repeating: "folder", count: 30)
    notes.type("folder \(name)")
    await notes.shows("Notes of nobody · folder folderfolder", "…")
    notes.type("new \(String(repeating: "word ", count: 40))")
    await notes.shows("word", "…   (in folderfolderfolderf…, private, unsent)", "3 unsent")
  }

  @Test func `without a terminal, a log-out leaves the next line alone`() async throws {
    let world = try NotesWorld()
    let network = try world.network(of: "a")
    let notes = try world.start("a", inTerminal: false)
    notes.type("signup anna\nsecret\nsecret")
    await notes.hasPrinted("synced")
    network.close()
    notes.type("new Unsent\nlogout\nnew After it\nwhoami")
    await notes.hasPrinted("has 1 unsent change", "After it", "anna, with the id")
  }

  @Test func `a wrong password changes nothing, and no password is shown`() async throws {
    let world = try NotesWorld()
    let notes = try world.start("a")
    await notes.become("anna", bySignUp: true)
    #expect(!notes.hasShown("secret") && notes.hasShown("Again:"))
    notes.type("logout")
    await notes.shows("Notes of nobody")
    notes.type("new Still here")
    notes.type("login anna")
    await notes.shows("Password of anna:")
    notes.type("wrong words")
    await notes.shows("password", "Notes of nobody", "Still here   (private, unsent)", "\n>")
    #expect(!notes.hasShown("wrong words"))
    notes.type("signup anna")
    await notes.shows("Password for anna:")
    notes.type("one")
    await notes.shows("Again:")
    notes.type("two")
    await notes.shows("The two passwords differ, so no account was made.")
    notes.type("help")
    await notes.shows("signup NAME")
  }

  @Test func `the example has under 600 lines that are not blank`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Tools/Examples/Notes/Sources/Notes").standardized
    let files = try FileManager.default.contentsOfDirectory(atPath: root.path)
    let lines = try files.flatMap { name in
      try String(contentsOf: root.appending(path: name), encoding: .utf8).split(separator: "\n")
    }
    #expect(!lines.isEmpty && lines.count < 600, "It has \(lines.count).")
  }

  @Test func `Ctrl-C and the end of input leave the terminal as it was`() async throws {
    let world = try NotesWorld()
    for keys in ["\u{3}", "login anna\n", "\u{4}"] {
      let notes = try world.start("a")
      await notes.shows("Notes of nobody", "\n>")
      #expect(notes.usesOwnScreen)
      notes.press(keys)
      if keys.hasPrefix("login") {
        await notes.shows("Password of anna:")
        notes.press("\u{3}")
      }
      let end = await notes.end()
      #expect(end.contains("ended 0"), "\(end)")
      #expect(end.contains(" echo ") && end.contains(" icanon "), "\(end)")
      #expect(!notes.usesOwnScreen)
    }
  }
}
