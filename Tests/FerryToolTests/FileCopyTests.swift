// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation
import Synchronization
import Testing

@testable import FerryTool

/// Copies of contents under names that people choose.
@Suite struct FileCopyTests {
  private let folder: TemporaryDirectory
  private let content: URL

  init() throws {
    folder = try TemporaryDirectory()
    content = folder.url.appending(path: "content")
    try Data(repeating: 7, count: 1_000_000).write(to: content)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  @Test func `a copy is whole, and only its owner can read it`() throws {
    let copy = FileCopy(to: folder.url.appending(path: "copy").path)
    try copy.check()
    try copy.make(of: content)
    #expect(try Data(contentsOf: copy.target) == Data(contentsOf: content))
    let attributes = try FileManager.default.attributesOfItem(atPath: copy.target.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try names == ["content", "copy"])
  }

  @Test func `a file that is there stays, also one that comes meanwhile`() throws {
    let target = folder.url.appending(path: "copy")
    let copy = FileCopy(to: target.path)
    try copy.check()
    try Data("mine".utf8).write(to: target)
    let check = #expect(throws: Failure.self) { try copy.check() }
    #expect(check?.message.contains("File exists. No file was fetched.") == true)
    let make = #expect(throws: Failure.self) { try copy.make(of: content) }
    #expect(make?.name == "cannot-create")
    #expect(make?.message.contains("The file was fetched, and is in \(content.path).") == true)
    #expect(try Data(contentsOf: target) == Data("mine".utf8))
    #expect(try names == ["content", "copy"])
  }

  @Test func `a full disk is said to be full, and leaves no file`() throws {
    let written = Mutex(0)
    let copy = FileCopy(to: folder.url.appending(path: "copy").path) { descriptor, bytes in
      let isFull = written.withLock { written in
        written += bytes.count
        return written > 500_000
      }
      if isFull {
        errno = ENOSPC
        return -1
      }
      return write(descriptor, bytes.baseAddress, bytes.count)
    }
    let failure = #expect(throws: Failure.self) { try copy.make(of: content) }
    #expect(failure?.name == "disk-full" && failure?.exitCode == .inputOutput)
    #expect(failure?.message.contains("the disk is full. The file was fetched") == true)
    #expect(try names == ["content"])
  }
}
