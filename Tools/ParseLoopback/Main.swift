// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse

/// `parse-loopback`: runs the test server by hand.
@main struct ParseLoopback {
  static func main() {
    do throws(ToolError) {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.wantsHelp {
        print(Options.help)
        return
      }
      try serve(options)
    } catch {
      FileHandle.standardError.write(Data("parse-loopback: \(error.message)\n".utf8))
      exit(error.exitCode)
    }
  }

  private static func serve(_ options: Options) throws(ToolError) {
    // From here on, a stop signal waits until the data can be saved.
    let stop = StopSignal()
    var backend = try StateFile.load(options)
    if let seed = options.seedData { try StateFile.seed(&backend, from: seed) }
    let server: LoopbackServer
    do throws(LoopbackServerError) {
      server = try LoopbackServer(backend: backend, port: options.port)
    } catch {
      throw ToolError(exitCode: 69, message: error.description)
    }
    print("ready \(server.url)")
    // Scripts wait for this line, so it must not stay in a buffer.
    fflush(nil)
    stop.wait()
    server.stop()
    if let path = options.data { try StateFile.save(server.backend, to: path) }
  }
}
