// What the `server` column of a story says, on a real Parse Server: triggers by rule, and saves that take
// their time. Every function needs the master key.
const cache = require.main.require('../lib/cache').default;
const triggers = require.main.require('../lib/triggers');
const router = require.main.require('../lib/PromiseRouter').default.prototype;
const routeOfBatch = router.tryRouteRequest;
const breakBatch = () => {
  throw new TypeError("Cannot read properties of undefined (reading 'handler')");
};

let rules = {}; // by class
let holds = []; // writes that wait, the oldest hold first

const define = (name, work) =>
  Parse.Cloud.define(name, ({ params }) => work(params), { requireMaster: true });

// The first write of the class that a hold is still missing waits until that is released.
const wait = async className => {
  const hold = holds.find(({ missing }) => missing.includes(className));
  if (!hold) return;
  hold.missing.splice(hold.missing.indexOf(className), 1);
  if (!hold.missing.length) hold.arrived();
  await hold.release;
};

// An access list in which `creator` stands for the user; none where that is nobody.
const accessFor = ({ creator, ...list }, user) => (creator ? user && { [user.id]: creator } : list);

const beforeSave = async ({ object, original, user }) => {
  const { refusals = [], values = {}, newAccess } = rules[object.className] ?? {};
  for (const { field, value, code } of refusals) {
    if (object.dirty(field) && object.get(field) === value) {
      throw new Parse.Error(code, 'The story refuses this value.');
    }
  }
  for (const [field, value] of Object.entries(values)) object.set(field, Parse._decode(field, value));
  const access = newAccess && !original && accessFor(newAccess, user);
  if (access) object.setACL(new Parse.ACL(access));
  await wait(object.className);
};
const beforeDelete = ({ object }) => wait(object.className);
const afterFind = ({ objects, master }) =>
  master ? objects : objects.filter(({ className, id }) => !rules[className]?.hidden.includes(id));

// Classes without rules have no triggers: even one that does nothing changes what a server answers.
const register = className => {
  const { refusals = [], values = {}, newAccess, hidden = [] } = rules[className] ?? {};
  const isHeld = holds.some(({ classes }) => classes.includes(className));
  const wanted = {
    beforeSave: isHeld || newAccess || refusals.length || Object.keys(values).length,
    beforeDelete: isHeld,
    afterFind: hidden.length,
  };
  for (const [type, handler] of Object.entries({ beforeSave, beforeDelete, afterFind })) {
    if (wanted[type]) Parse.Cloud[type](className, handler);
    else triggers.removeTrigger(type, className, Parse.applicationId);
  }
};

const setRules = given => {
  const classes = new Set([...Object.keys(rules), ...Object.keys(given)]);
  rules = given;
  classes.forEach(register);
};

define('storyBegins', ({ allowsCustomIDs, maxLimit, brokenBatch }) => {
  const held = holds.flatMap(({ classes }) => classes);
  holds = [];
  held.forEach(register);
  setRules({});
  router.tryRouteRequest = brokenBatch ? breakBatch : routeOfBatch;
  Object.assign(cache.get(Parse.applicationId), { allowCustomObjectId: allowsCustomIDs, maxLimit });
});

define('setRules', ({ rules }) => setRules(rules));

// Lets the next write of each of the classes wait for `release`.
define('hold', ({ id, classes }) => {
  const hold = { id, classes, missing: [...classes] };
  hold.release = new Promise(end => (hold.end = end));
  hold.arrival = new Promise(arrived => (hold.arrived = arrived));
  holds.push(hold);
  classes.forEach(register);
});

// Answers when all writes of the hold wait; or, should they never get so far, after a while.
define('arrival', async ({ id }) => {
  const pause = new Promise(end => setTimeout(end, 2000));
  await Promise.race([holds.find(hold => hold.id === id).arrival, pause]);
});

define('release', ({ id }) => {
  const hold = holds.find(hold => hold.id === id);
  holds = holds.filter(other => other !== hold);
  hold.classes.forEach(register);
  hold.end();
});
