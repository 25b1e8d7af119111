// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A way to interfere with the tool at one of its system calls.
struct Interference {
  var name: String
  /// The system calls, as strace names them.
  var calls: String
  /// The effect at such a call, as strace writes it: `signal=KILL`, `error=EIO`.
  var effect: String
  /// `+` if it happens at all later calls, too.
  var suffix = ""
  /// The files whose calls count; empty for all.
  var files: [String] = []
  /// Whether one of eight calls is enough, because there are thousands.
  var isFrequent = false

  /// All ways, for a tool that works in a folder.
  static func all(in folder: URL) -> [Interference] {
    kills
      + ["EIO", "ENOSPC"].flatMap { error in
        writes.flatMap { call in failures(of: call, error, in: folder) }
      } + reads.flatMap { failures(of: $0, "EIO", in: folder) }
  }

  /// The kills alone.
  static let kills = [
    Interference(
      name: "killed at a file, socket or memory call",
      calls: "%file,%desc,%network", effect: "signal=KILL", isFrequent: true),
    Interference(
      name: "killed at a change of a file",
      calls: "pwrite64,fdatasync,ftruncate,unlink,rename,mkdir,openat",
      effect: "signal=KILL"),
    Interference(
      name: "killed at a call of a socket", calls: "sendto,sendmsg,recvfrom,recvmsg,connect,close",
      effect: "signal=KILL"),
  ]

  private static let writes = [
    "pwrite64", "fdatasync", "ftruncate", "unlink", "rename", "mkdir", "openat",
  ]
  private static let reads = ["pread64", "read"]

  /// The call fails once, and from then on.
  private static func failures(of call: String, _ error: String, in folder: URL) -> [Interference] {
    ["", "+"].map { suffix in
      Interference(
        name: "\(call) fails with \(error)\(suffix.isEmpty ? "" : ", for good")", calls: call,
        effect: "error=\(error)", suffix: suffix, files: files(in: folder))
    }
  }

  /// The files of a store and of its staging folder.
  private static func files(in folder: URL) -> [String] {
    let store = ["", "-wal", "-shm", "-journal"].map { "store.sqlite\($0)" }
    let folders = ["staging", "staging/Team", "staging/Game"]
    let staged = folders.dropFirst().flatMap { name in
      ["manifest.jsonl", "page-000001.json"].flatMap { ["\(name)/\($0)", "\(name)/\($0).part"] }
    }
    // strace compares texts, and some calls name a folder with a slash at its end.
    return (store + folders + folders.map { $0 + "/" } + staged).map { "\(folder.path)/\($0)" }
  }
}
