// swift-tools-version: 6.2
// One section per layer, from the bottom up. A target and its tests have similar names.
// Imports point downwards only (Documentation/Architecture.md). The settings at the end apply to all targets.

import PackageDescription

let package = Package(
  name: "Ferry",
  // Of the Apple platforms only macOS has a way to libcurl and simdjson: README.md.
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Ferry", targets: ["Ferry"]),
    .library(name: "FerryBackend", targets: ["FerryBackend"]),
    .library(name: "FerryLive", targets: ["FerryLive"]),
    .library(name: "LoopbackParse", targets: ["LoopbackParse"]),
    .library(name: "FerryScenarios", targets: ["FerryScenarios"]),
    .library(name: "FerrySimulator", targets: ["FerrySimulator"]),
    .executable(name: "ferry", targets: ["FerryTool"]),
    .executable(name: "parse-loopback", targets: ["ParseLoopback"]),
    .executable(name: "ferry-bench", targets: ["Benchmarks"]),
    .executable(name: "ferry-limit", targets: ["Limits"]),
    .executable(name: "ferry-story", targets: ["StoryTool"]),
    .executable(name: "ferry-simulate", targets: ["SimulatorTool"]),
    .executable(name: "ferry-torture", targets: ["Torture"]),
    .executable(name: "notes", targets: ["NotesExample"]),
  ],
  targets: [
    // C and C++ libraries. Each is imported by exactly one Swift module; SQLite also by the simulated disk.
    .systemLibrary(
      name: "CCurl", path: "Sources/CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CSQLite", path: "Sources/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CWebSockets", path: "Sources/CWebSockets", pkgConfig: "libwebsockets",
      providers: [.apt(["libwebsockets-dev"])]),
    // No pkgConfig: Debian's file contains a -D flag that the package manager prohibits.
    .target(name: "CJSON", path: "Sources/CJSON", linkerSettings: [.linkedLibrary("simdjson")]),
    .systemLibrary(name: "CMicroHTTPD", path: "Tools/CMicroHTTPD"),

    // Values and the HTTP port.
    .target(name: "FerryModel"),
    .target(name: "FerryHTTP"),

    // Decisions: pure functions of values, without a server or a store.
    .target(name: "FerryPlanning", dependencies: ["FerryModel"]),

    // The store port and its reference implementation.
    .target(name: "FerryStore", dependencies: ["FerryModel", "FerryPlanning"]),

    // Adapters, and the Parse dialect.
    .target(
      name: "FerrySQLite", dependencies: ["CSQLite", "FerryModel", "FerryPlanning", "FerryStore"]),
    .target(name: "FerryCurl", dependencies: ["CCurl", "FerryHTTP"]),
    .target(
      name: "FerryParse", dependencies: ["CJSON", "FerryHTTP", "FerryModel", "FerryPlanning"]),

    // The engine knows only ports, not adapters.
    .target(
      name: "FerryEngine",
      dependencies: ["FerryHTTP", "FerryModel", "FerryParse", "FerryPlanning", "FerryStore"]),

    // The module that an app imports.
    .target(
      name: "Ferry",
      dependencies: [
        "FerryCurl", "FerryEngine", "FerryHTTP", "FerryModel", "FerryParse", "FerryPlanning",
        "FerrySQLite", "FerryStore",
      ]),

    // A store above the engine. It has the public interface alone, as a store of an app would.
    .target(name: "FerryBackend", dependencies: ["Ferry"], packageAccess: false),

    // Websockets, for an app that wants to hear of changes at once. Only this module needs libwebsockets.
    .target(name: "FerryLive", dependencies: ["CWebSockets", "Ferry"], packageAccess: false),

    // Tools. LoopbackParse shares no code with FerryParse, so that a mistake in one cannot hide in the other.
    .target(name: "Randomness", path: "Tools/Randomness"),
    .target(
      name: "LoopbackParse", dependencies: ["CMicroHTTPD", "Randomness"],
      path: "Tools/LoopbackParse"),
    .executableTarget(
      name: "ParseLoopback", dependencies: ["LoopbackParse"], path: "Tools/ParseLoopback"),
    .target(
      name: "FerryScenarios",
      dependencies: [
        "FerryCurl", "FerryEngine", "FerryHTTP", "FerryModel", "FerryParse", "FerryPlanning",
        "FerrySQLite", "FerryStore", "LoopbackParse",
      ], path: "Tools/Scenarios"),
    .target(
      name: "SimulatedDisk", dependencies: ["CSQLite", "Randomness"], path: "Tools/SimulatedDisk"),
    .target(
      name: "FerrySimulator",
      dependencies: [
        "FerryEngine", "FerryHTTP", "FerryModel", "FerryParse", "FerryPlanning", "FerryScenarios",
        "FerrySQLite", "FerryStore", "LoopbackParse", "Randomness", "SimulatedDisk",
      ], path: "Tools/Simulator"),
    .target(
      name: "PlannerCases", dependencies: ["FerryModel", "FerryPlanning", "Randomness"],
      path: "Tools/PlannerCases"),
    .executableTarget(
      name: "SimulatorTool",
      dependencies: ["FerryParse", "FerrySimulator", "PlannerCases", "SimulatedDisk"],
      path: "Tools/SimulatorTool"),
    .executableTarget(
      name: "StoryTool", dependencies: ["FerryScenarios"], path: "Tools/StoryTool"),
    .executableTarget(
      name: "FerryTool", dependencies: ["Ferry", "FerryLive"], path: "Tools/FerryTool",
      packageAccess: false),
    // Tools/Scripts/fuzz makes the executable ferry-fuzz of it: libFuzzer brings the main function.
    .target(
      name: "FerryFuzz",
      dependencies: [
        "FerryEngine", "FerryHTTP", "FerryModel", "FerryParse", "FerryPlanning", "FerryScenarios",
        "FerrySimulator", "FerrySQLite", "FerryStore", "FerryTool",
      ], path: "Tools/Fuzz"),
    .executableTarget(
      name: "Torture", dependencies: ["Ferry", "LoopbackParse", "Randomness"],
      path: "Tools/Torture",
      packageAccess: false),
    .executableTarget(
      name: "Benchmarks", dependencies: ["Ferry", "FerryLive", "LoopbackParse"],
      path: "Tools/Benchmarks",
      exclude: ["targets.json", "regressions.json"],
      packageAccess: false),
    // The limits that ferry-bench compares Ferry with. They are C++, so that no code of Ferry can be in them.
    .executableTarget(
      name: "Limits", path: "Tools/Limits",
      linkerSettings: [
        .linkedLibrary("simdjson"), .linkedLibrary("sqlite3"), .linkedLibrary("curl"),
      ]),

    // An app to start from. It has a manifest of its own, too, with which people copy it. No target may have the same
    // name in an app and in Ferry, so this one is not called as there.
    .executableTarget(
      name: "NotesExample", dependencies: ["Ferry"], path: "Tools/Examples/Notes/Sources/Notes",
      packageAccess: false),

    // Tests: one target per module, and their common support.
    .target(
      name: "FerryTestSupport", dependencies: ["Ferry", "LoopbackParse", "Randomness"],
      path: "Tests/FerryTestSupport"),
    .testTarget(
      name: "FerryModelTests", dependencies: ["FerryModel", "FerryPlanning", "Randomness"]),
    .testTarget(name: "FerryHTTPTests", dependencies: ["FerryHTTP"]),
    .testTarget(
      name: "FerryPlanningTests",
      dependencies: ["FerryPlanning", "FerryTestSupport", "PlannerCases", "Randomness"]),
    .testTarget(
      name: "FerryStoreTests", dependencies: ["FerryStore", "FerryTestSupport", "Randomness"]),
    .testTarget(
      name: "FerrySQLiteTests", dependencies: ["FerrySQLite", "FerryTestSupport", "Randomness"]),
    .testTarget(
      name: "FerryCurlTests", dependencies: ["FerryCurl", "FerryHTTP", "FerryTestSupport"]),
    .testTarget(
      name: "FerryParseTests", dependencies: ["FerryParse", "FerryTestSupport", "Randomness"]),
    .testTarget(
      name: "FerryEngineTests",
      dependencies: ["FerryEngine", "FerryScenarios", "FerryTestSupport", "Randomness"]),
    .testTarget(
      name: "FerryBackendTests",
      dependencies: [
        "Ferry", "FerryBackend", "FerryScenarios", "FerryTestSupport", "LoopbackParse",
        "Randomness",
      ]),
    .testTarget(
      name: "FerryLiveTests",
      dependencies: ["FerryEngine", "FerryLive", "FerryTestSupport", "LoopbackParse"]),
    // An app has no package access either.
    .testTarget(
      name: "FerryTests", dependencies: ["Ferry", "FerryTestSupport", "LoopbackParse"],
      packageAccess: false),
    .testTarget(
      name: "LoopbackParseTests", dependencies: ["FerryTestSupport", "LoopbackParse", "Randomness"]),
    // Code that `ferry generate` made, compiled as an app compiles it.
    .testTarget(
      name: "GeneratedTests", dependencies: ["Ferry", "FerryTestSupport"], packageAccess: false),
    .testTarget(
      name: "FerryToolTests", dependencies: ["FerryTestSupport", "FerryTool", "LoopbackParse"]),
    // They run the built program.
    .testTarget(
      name: "ExampleTests", dependencies: ["FerryTestSupport", "LoopbackParse", "NotesExample"],
      path: "Tests/ExampleTests"),
    .testTarget(name: "ScenarioTests", dependencies: ["FerryScenarios", "FerryTestSupport"]),
    .testTarget(
      name: "SimulatorTests",
      dependencies: [
        "FerryModel", "FerryParse", "FerrySQLite", "FerryScenarios", "FerrySimulator", "FerryStore",
        "FerryTestSupport", "SimulatedDisk",
      ]),
    .testTarget(name: "FuzzTests", dependencies: ["FerryFuzz", "FerryTool"]),
    .testTarget(name: "ContractTests", dependencies: ["FerryTestSupport", "LoopbackParse"]),
    .testTarget(
      name: "SyncTests",
      dependencies: ["Ferry", "FerryScenarios", "FerryTestSupport", "Randomness"]
    ),
  ],
  cxxLanguageStandard: .cxx17
)

// Tools/Scripts/test builds three targets of tests with the thread sanitizer, and no programs.
if let names = Context.environment["FERRY_ONLY_TESTS"]?.split(separator: ",") {
  package.products.removeAll()
  package.targets.removeAll {
    ([.test, .executable].contains($0.type) && !names.contains(Substring($0.name)))
      || $0.name == "FerryFuzz"
  }
}

// Settings for every Swift target.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]
for target in package.targets
where target.type != .system && !["CJSON", "Limits"].contains(target.name) {
  target.swiftSettings = strict
}
// An optimized build would need four minutes more for the tests themselves, which gain little by it.
for target in package.targets where target.type == .test {
  target.swiftSettings = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
}
