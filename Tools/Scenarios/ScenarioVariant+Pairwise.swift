// Ferry: offline-first sync for Parse Server. MIT licence.

extension ScenarioVariant {
  /// A few of some variants in which every two properties meet that meet in any of them.
  ///
  /// Most faults that depend on a variant depend on one or two of its properties.
  ///
  /// - Parameter variants: The variants to choose from.
  /// - Returns: Some of them, in their order.
  public static func pairwise(among variants: [ScenarioVariant]) -> [ScenarioVariant] {
    var open = variants.reduce(into: Set<[String]>()) { $0.formUnion($1.pairs) }
    var chosen: Set<ScenarioVariant> = []
    while !open.isEmpty {
      let best = variants.max {
        $0.pairs.intersection(open).count < $1.pairs.intersection(open).count
      }
      guard let best else { break }
      chosen.insert(best)
      open.subtract(best.pairs)
    }
    return variants.filter(chosen.contains)
  }

  /// Every two of the variant's properties.
  private var pairs: Set<[String]> {
    let properties = [
      server.rawValue, store.rawValue, allowsCustomIDs ? "custom ids" : "server ids",
      "\(collation)",
    ]
    return properties.indices.reduce(into: []) { pairs, index in
      for other in properties[(index + 1)...] { pairs.insert([properties[index], other]) }
    }
  }
}
