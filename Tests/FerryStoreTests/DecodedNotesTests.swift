// Ferry: offline-first sync for Parse Server. MIT licence.

import Testing

@testable import FerryStore

@Suite struct DecodedNotesTests {
  @Test func `a note is known by its text and its type`() {
    let notes = DecodedNotes()
    notes.keep(7, of: "a", as: "seven")
    notes.keep(String?.none, of: "b", as: "null")
    #expect(notes.content(of: "a", in: "seven", as: Int.self) == 7)
    #expect(notes.content(of: "a", in: "eight", as: Int.self) == nil)
    #expect(notes.content(of: "a", in: "seven", as: String.self) == nil)
    #expect(notes.content(of: "b", in: "null", as: String?.self) == .some(nil))
    #expect(notes.content(of: "c", in: "null", as: String?.self) == nil)
  }

  @Test func `a copy goes on by itself`() {
    let notes = DecodedNotes()
    notes.keep(7, of: "a", as: "seven")
    let copy = notes.copy()
    copy.keep(8, of: "a", as: "eight")
    #expect(copy.content(of: "a", in: "eight", as: Int.self) == 8)
    #expect(notes.content(of: "a", in: "seven", as: Int.self) == 7)
  }

  @Test func `a long note is not kept, and takes the place of a short one`() {
    let notes = DecodedNotes()
    notes.keep(7, of: "a", as: "seven")
    let long = String(repeating: "x", count: 20_000)
    notes.keep(8, of: "a", as: long)
    #expect(notes.content(of: "a", in: long, as: Int.self) == nil)
    #expect(notes.content(of: "a", in: "seven", as: Int.self) == nil)
  }
}
