// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryScenarios
import Testing

/// The few variants in which a story is told when time is short.
struct PairwiseTests {
  /// Every two properties of a variant.
  private static func pairs(_ variant: ScenarioVariant) -> Set<[String]> {
    let words = variant.description.split(separator: ", ").map(String.init)
    return Set(words.flatMap { first in words.map { [first, $0].sorted() } })
  }

  @Test(arguments: [
    ScenarioVariant.all, ScenarioVariant.all.filter { $0.store == .sqlite },
    ScenarioVariant.all.filter { $0.store == .sqlite && $0.allowsCustomIDs },
    [ScenarioVariant()], [],
  ])
  func `every two properties that meet in all variants meet in the chosen ones`(
    _ variants: [ScenarioVariant]
  ) {
    let chosen = ScenarioVariant.pairwise(among: variants)
    #expect(Set(chosen).isSubset(of: variants))
    #expect(Set(chosen.flatMap(Self.pairs)) == Set(variants.flatMap(Self.pairs)))
  }

  @Test func `six variants are enough in place of sixteen`() {
    #expect(ScenarioVariant.pairwise(among: ScenarioVariant.all).count <= 6)
  }
}
