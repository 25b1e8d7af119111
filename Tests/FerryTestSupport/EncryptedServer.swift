// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// OpenSSL's test server, with an authority and a certificate made for it in its own folder.
package final class EncryptedServer {
  package let port: Int
  /// The certificate of the authority that signed the server's.
  package let authority: URL
  private let folder: URL
  private let process: Process

  struct Failure: Error {
    let arguments: [String]
  }

  private static let tool = URL(filePath: "/usr/bin/openssl")

  /// Whether this machine can make certificates.
  package static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: tool.path()) }

  package init(_ identity: ServerIdentity) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "ferry-tls-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    authority = folder.appending(path: "authority.pem")
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    try Self.run(
      ["req", "-x509", "-keyout", "authority.key", "-out", "authority.pem", "-subj", "/CN=Ferry"]
        + key, in: folder)
    try Self.run(
      ["req", "-keyout", "key.pem", "-out", "wish.pem", "-subj", "/CN=any"] + key, in: folder)
    try Data("subjectAltName=\(identity.names)\n".utf8).write(to: folder.appending(path: "names"))
    try Self.run(
      [
        "x509", "-req", "-in", "wish.pem", "-CA", "authority.pem", "-CAkey", "authority.key",
        "-CAcreateserial", "-out", "server.pem", "-extfile", "names", "-days", identity.days,
      ], in: folder)
    let output = Pipe()
    process = try Self.start(
      ["s_server", "-accept", "127.0.0.1:0", "-www", "-cert", "server.pem", "-key", "key.pem"]
        + identity.options, in: folder, output: output)
    port = try Self.announcedPort(output.fileHandleForReading)
  }

  /// Ends the server and removes its folder.
  package func stop() {
    // The thread that started it may have blocked gentler signals.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  private static func start(_ arguments: [String], in folder: URL, output: Any?) throws -> Process {
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Runs a command to its end.
  ///
  /// The command's output is discarded. This process could not see the end of a pipe while a server
  /// started meanwhile holds a copy of it.
  private static func run(_ arguments: [String], in folder: URL) throws {
    let process = try start(arguments, in: folder, output: FileHandle.nullDevice)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(arguments: arguments) }
  }

  /// Reads the line `ACCEPT 127.0.0.1:12345`.
  private static func announcedPort(_ output: FileHandle) throws -> Int {
    var text = ""
    while true {
      let part = output.availableData
      guard !part.isEmpty else { throw Failure(arguments: ["s_server"]) }
      text += String(decoding: part, as: UTF8.self)
      for line in text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1)
      where line.hasPrefix("ACCEPT ") {
        if let port = line.split(separator: ":").last.flatMap({ Int($0) }) { return port }
      }
    }
  }
}
