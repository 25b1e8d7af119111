// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryScenarios
import Foundation

/// `ferry-story`: brings stories into their layout, and plays them.
@main struct StoryTool {
  private static let help = """
    ferry-story format [--check] FILE...
    ferry-story play [--all-variants] [--until-one-falls] FILE...

      format           aligns the tables of stories and breaks lines of 100 characters and more
      play             plays stories on the double, each in its first variant, and exits 1 if one falls

      --check             only names the files and lines that are not in this layout, and exits 1
      --all-variants      plays each story in each store, over sockets, and so on
      --until-one-falls   ends with the first story that falls
    """

  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") || arguments.contains("-h") { return print(help) }
    let known = ["format": ["--check"], "play": ["--all-variants", "--until-one-falls"]]
    guard let command = arguments.first, let allowed = known[command] else {
      end(64, "The commands are format and play.\n\n" + help)
    }
    arguments.removeFirst()
    let options = arguments.prefix { $0.hasPrefix("-") }
    arguments.removeFirst(options.count)
    if let other = (options + arguments).first(where: { $0.hasPrefix("-") && !allowed.contains($0) }
    ) {
      end(64, "There is no option \(other) of \(command).\n\n" + help)
    }
    guard !arguments.isEmpty else { end(64, "Name the files of the stories.\n\n" + help) }
    if command == "play" {
      let choices = Choices(
        inAllVariants: options.contains("--all-variants"),
        untilOneFalls: options.contains("--until-one-falls"))
      return await play(arguments, choices)
    }
    var isClean = true
    let checks = options.contains("--check")
    for path in arguments where !format(path, checks: checks) { isClean = false }
    if !isClean { exit(1) }
  }

  /// Whether the file is, or has become, as it has to be.
  private static func format(_ path: String, checks: Bool) -> Bool {
    let url = URL(filePath: path)
    let text: String
    do {
      text = try String(contentsOf: url, encoding: .utf8)
    } catch {
      end(66, "\(path) cannot be read: \(error.localizedDescription)")
    }
    let formatted = StoryFormat.formatted(text)
    for line in StoryFormat.longLines(of: formatted) {
      print("\(path):\(line): the line is longer than \(StoryFormat.width) characters; shorten it")
    }
    let isShort = StoryFormat.longLines(of: formatted).isEmpty
    if text == formatted { return isShort }
    if checks {
      print("\(path) is not in the layout of stories; run: ferry-story format \(path)")
      return false
    }
    do {
      try Data(formatted.utf8).write(to: url, options: .atomic)
    } catch {
      end(73, "\(path) cannot be written: \(error.localizedDescription)")
    }
    return isShort
  }

  static func end(_ code: Int32, _ message: String) -> Never {
    FileHandle.standardError.write(Data("ferry-story: \(message)\n".utf8))
    exit(code)
  }
}
