// Ferry: offline-first sync for Parse Server. MIT licence.
//
// What callers may send. Anything else is refused before a query runs.

/** The greatest number of ids in a request, and of ids in an answer of the log. */
const PAGE_LIMIT = 1000;
const LONGEST_ID = 200;

function refusal(message) {
  return new Parse.Error(Parse.Error.VALIDATION_ERROR, message);
}

/** The class that a caller names. One that does not exist has no records, so all of its records would seem gone. */
function checkedClass(name, classes) {
  if (typeof name !== 'string' || !classes.includes(name)) {
    throw new Parse.Error(Parse.Error.INVALID_CLASS_NAME, 'Ferry\'s module is not set up for this class.');
  }
  return name;
}

function checkedIDs(ids) {
  if (!Array.isArray(ids)) throw refusal('"ids" must be a list of texts.');
  if (ids.length > PAGE_LIMIT) throw refusal(`"ids" may have ${PAGE_LIMIT} elements.`);
  if (!ids.every(id => typeof id === 'string' && id && id.length <= LONGEST_ID)) throw refusal('"ids" must be a list of texts.');
  return [...new Set(ids)];
}

function checkedLimit(limit) {
  if (limit === undefined) return PAGE_LIMIT;
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_LIMIT) throw refusal(`"limit" must be a number from 1 to ${PAGE_LIMIT}.`);
  return limit;
}

/** The most rows that the server gives in an answer, to Cloud Code as to anyone. */
function serverLimit() {
  return (Parse.Server && Parse.Server.maxLimit) || Infinity;
}

/** The rights of the caller, for queries that Cloud Code makes on behalf of this caller. */
function rights({ master, user }) {
  if (master) return { useMasterKey: true };
  return user ? { sessionToken: user.getSessionToken() } : {};
}

module.exports = { PAGE_LIMIT, checkedClass, checkedIDs, checkedLimit, refusal, rights, serverLimit };
