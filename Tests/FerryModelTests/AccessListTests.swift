// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

struct AccessListTests {
  @Test func `a list has the form of Parse Server`() {
    var list = AccessList([.user("k7Xb2mQ9Lp"): .readWrite, .everyone: []])
    list[.role("Editors")] = .write
    list[.everyone] = .read
    let form: Value = [
      "k7Xb2mQ9Lp": ["read": true, "write": true], "role:Editors": ["write": true],
      "*": ["read": true],
    ]
    #expect(list.value == form)
    #expect(AccessList(form) == list)
    #expect(list[.user("other")] == [] && list[.role("Editors")] == .write)
  }

  @Test func `a right that is false or a party without rights is none`() {
    let form: Value = ["*": ["read": true, "write": false], "role:Editors": [:]]
    #expect(AccessList(form) == .publicRead)
  }

  @Test func `a record without a list says nothing of it`() {
    #expect(AccessList(.null) == nil)
    #expect(AccessList([:] as Value)?.rights.isEmpty == true)
  }

  @Test(
    arguments: [
      "*", 1, ["*"], ["*": true], ["*": ["delete": true]], ["*": ["read": 1]], ["": ["read": true]],
      ["role:": ["read": true]],
    ] as [Value])
  func `a value of another form is no list`(value: Value) { #expect(AccessList(value) == nil) }

  @Test(
    arguments: [
      (AccessList(), "names nobody"), ([.everyone: []], "names nobody"),
      ([.user(""): .read], #"the key """#), ([.role(""): .read], #"the key "role:""#),
      ([.user("*"): .read], #"the key "*""#), ([.user("role:A"): .read], #"the key "role:A""#),
    ] as [(AccessList, String)])
  func `a list that names nobody, or no party, is refused`(list: AccessList, words: String) {
    #expect(list.objection?.contains(words) == true)
  }

  @Test func `a list that names somebody is taken`() {
    #expect(AccessList.open.objection == nil && AccessList.publicRead.objection == nil)
    #expect(([.user("a"): .write, .role("B"): .read] as AccessList).objection == nil)
  }

  @Test func `a create sends its own list, else the default of the class`() {
    var record = Record(className: "Note", objectID: "n1", fields: Fields())
    #expect(DefaultAccess.server.acl(of: record, createdBy: "u1") == .null)
    #expect(
      DefaultAccess.list(.publicRead).acl(of: record, createdBy: nil) == ["*": ["read": true]])
    #expect(DefaultAccess.creator().acl(of: record, createdBy: nil) == nil)
    #expect(
      DefaultAccess.creator(.publicRead).acl(of: record, createdBy: "u1")
        == ["u1": ["read": true, "write": true], "*": ["read": true]])
    record.acl = ["*": ["write": true]]
    for access in [DefaultAccess.server, .creator(), .list(.publicRead)] {
      #expect(access.acl(of: record, createdBy: nil) == ["*": ["write": true]])
    }
  }
}
