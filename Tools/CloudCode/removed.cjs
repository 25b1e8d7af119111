// Ferry: offline-first sync for Parse Server. MIT licence.
//
// Which of some ids have no record that the caller may find.

const { rights, serverLimit } = require('./parameters.cjs');

const QUERY_SIZE = 500;

/**
 * The ids that a query of the caller does not show: the records are deleted, or the caller may not read them.
 *
 * The query has the caller's rights, so that it says no more than a query of a client. Each query asks for no more ids
 * than the server gives rows, because a row that did not fit into the answer would seem to be gone.
 */
async function missing(className, ids, request) {
  const size = Math.min(QUERY_SIZE, serverLimit());
  const gone = [];
  for (let begin = 0; begin < ids.length; begin += size) {
    const part = ids.slice(begin, begin + size);
    const query = new Parse.Query(className).containedIn('objectId', part).select('objectId').limit(part.length);
    const found = new Set((await query.find(rights(request))).map(object => object.id));
    gone.push(...part.filter(id => !found.has(id)));
  }
  // A caller who may not search must learn so also where there is nothing to ask.
  if (!ids.length) await checkMaySearch(className, request);
  return gone;
}

/**
 * Throws the server's own refusal where a caller may not search in a class.
 *
 * The server answers a query with the limit 0 before it looks at permissions, and takes one for a single id as a `get`.
 */
function checkMaySearch(className, request) {
  return new Parse.Query(className).containedIn('objectId', ['-']).select('objectId').limit(1).find(rights(request));
}

module.exports = { checkMaySearch, missing };
