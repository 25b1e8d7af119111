// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The command line tool.
@main
struct Main {
  static func main() async {
    StandardStreams.prepare()
    let tool = Tool(
      arguments: Array(CommandLine.arguments.dropFirst()),
      environment: ProcessInfo.processInfo.environment,
      output: DescriptorSink(STDOUT_FILENO), errors: DescriptorSink(STDERR_FILENO))
    exit(await tool.run().rawValue)
  }
}
