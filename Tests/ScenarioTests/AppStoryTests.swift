// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryScenarios
import Testing

/// A story of an app, with the schema that the app declares instead of one in the story.
@Suite(.timeLimit(.minutes(5))) struct AppStoryTests {
  private static let schema = Schema([
    Entity("List", table: "lists") { Field("name", .text) },
    Entity("Task", table: "tasks") {
      Field("title", .text, column: "caption")
      Field("isDone", .boolean, default: false)
      Field("list", .pointer(to: "List"))
    }
    .filter(.field("isDone", .equal, false)),
  ])

  private static let text = """
    story T1: A task that is done leaves, whoever did it

    for how in t1.isDone = true | sql UPDATE tasks SET isDone = 1 WHERE objectId = {t1}
    options only sqlite

    given
      List l1 name "Home"
      Task t1 title "Water the plants" isDone false list l1

    | A                                       | B    |
    |-----------------------------------------|------|
    | {how}                                   |      |
    | insert Task t2 title "Cook" list l1     |      |
    | sync -> post 1 Task, put 1 Task         |      |
    | sync -> evict 1 Task                    | sync |

    expect
      everywhere: List l1 name "Home"
      everywhere: Task t2 title "Cook" isDone false list l1
      server: Task t1 title "Water the plants" isDone true list l1
    """

  @Test(arguments: try Scenario(text, schema: schema).variants)
  func storiesTakeTheSchemaOfTheApp(_ variant: ScenarioVariant) async throws {
    try await Scenario(Self.text, schema: Self.schema).run(on: variant)
  }

  @Test func aFieldThatTheAppDoesNotHaveIsRefused() {
    let text = Self.text.replacing("list l1\n\n|", with: "project l1\n\n|")
    let error = #expect(throws: ScenarioError.self) { try Scenario(text, schema: Self.schema) }
    #expect(
      error?.description
        == "line 8: expected a field of Task after \"Task t1 title \"Water the plants\" isDone false\", "
        + "found \"project\"")
  }
}
