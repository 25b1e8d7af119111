// Ferry: offline-first sync for Parse Server. MIT licence.

/// Who acts in a story: a column of its table.
enum Actor: Sendable, Hashable {
  case device(String)
  case client, server, network

  /// The title of the column.
  var title: String {
    switch self {
    case .device(let name): name
    case .client: "client"
    case .server: "server"
    case .network: "network"
    }
  }
}
