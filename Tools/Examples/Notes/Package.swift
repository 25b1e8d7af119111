// swift-tools-version: 6.2
// To start an app of your own: copy this folder, and let the path lead to your copy of Ferry.

import PackageDescription

let package = Package(
  name: "Notes",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Ferry", path: "../../..")],
  targets: [
    .executableTarget(name: "Notes", dependencies: [.product(name: "Ferry", package: "Ferry")])
  ]
)
