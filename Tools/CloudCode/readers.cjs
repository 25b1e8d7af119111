// Ferry: offline-first sync for Parse Server. MIT licence.
//
// Who could read a record, and who a caller is, in the same words: `*`, the id of a user, `role:NAME`.

const { serverLimit } = require('./parameters.cjs');
const { checkMaySearch } = require('./removed.cjs');

/** Those who could read a record at its end; none but the master key where the list is empty. */
function readersOf(object) {
  const list = object.getACL();
  if (!list) return ['*'];
  return Object.entries(list.toJSON()).filter(([, rights]) => rights.read).map(([reader]) => reader);
}

/** The names under which a caller may read; nil for the master key, which may read everything. */
async function namesOf({ master, user }) {
  if (master) return null;
  if (!user) return ['*'];
  const names = new Set();
  let roles = await all(new Parse.Query(Parse.Role).equalTo('users', user));
  while (roles.length) {
    const fresh = roles.filter(role => !names.has('role:' + role.getName()));
    for (const role of fresh) names.add('role:' + role.getName());
    roles = fresh.length ? await all(new Parse.Query(Parse.Role).containedIn('roles', fresh)) : [];
  }
  return ['*', user.id, ...names];
}

function all(query) {
  return query.findAll({ useMasterKey: true, batchSize: Math.min(100, serverLimit()) });
}

/**
 * Refuses callers who may not search in a class, and classes in which a field of the record names its readers.
 *
 * The log does not keep the fields of a record, so it could not say who could read one.
 */
async function checkMayRead(className, request) {
  if (request.master) return;
  await checkMaySearch(className, request);
  const permissions = await permissionsOf(className);
  const fields = [...(permissions.readUserFields ?? []), ...(permissions.find?.pointerFields ?? [])];
  if (fields.length) {
    throw new Parse.Error(Parse.Error.OPERATION_FORBIDDEN, 'The log has no class in which a field names the readers.');
  }
}

/** The permissions of a class; none where nobody has created it yet. */
async function permissionsOf(className) {
  try {
    return (await new Parse.Schema(className).get()).classLevelPermissions ?? {};
  } catch (error) {
    if (error.code === Parse.Error.INVALID_CLASS_NAME) return {};
    throw error;
  }
}

module.exports = { checkMayRead, namesOf, readersOf };
