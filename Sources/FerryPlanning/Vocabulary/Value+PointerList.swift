// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension Value {
  /// Every pointer in this value, at any depth.
  package var pointers: [Pointer] {
    var pointers: [Pointer] = []
    forEachPointer { pointers.append($0) }
    return pointers
  }
}
