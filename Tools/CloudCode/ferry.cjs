// Ferry: offline-first sync for Parse Server. MIT licence.
//
// Cloud Code that helps Ferry to find deleted records. README.md says how to install it, what it costs and what it
// does not do.
//
//   require('./ferry/ferry.cjs')({ classes: ['Note', 'Folder'] });

const { DeletionLog } = require('./deletion-log.cjs');
const { missing } = require('./removed.cjs');
const { checkedClass, checkedIDs, PAGE_LIMIT } = require('./parameters.cjs');

const NAME = 'ferry';
const VERSION = '1.0.0';
/** Grows when a function's parameters or results change so that an older Ferry would misread them. */
const PROTOCOL = 1;

/**
 * Defines the functions, and registers an `afterDelete` trigger for each logged class.
 *
 * `classes` names all classes that clients may ask about. `logged` names those of them whose deletions are logged: by
 * default all. `ownTriggers` names logged classes that have an `afterDelete` trigger of their own, which must await
 * the returned `record(request)`. `days` says how long entries stay in the log.
 */
module.exports = function install({ classes, logged = classes, ownTriggers = [], days = 60, ...others } = {}) {
  check(classes, logged, ownTriggers, days, others);
  const log = new DeletionLog(days);

  Parse.Cloud.define('ferryModule', () => ({
    name: NAME,
    version: VERSION,
    protocol: PROTOCOL,
    pageLimit: PAGE_LIMIT,
    logDays: days,
    removed: [...classes].sort(),
    deletions: [...logged].sort(),
  }));

  Parse.Cloud.define('ferryRemoved', async request => {
    const className = checkedClass(request.params.class, classes);
    return { protocol: PROTOCOL, class: className, removed: await missing(className, checkedIDs(request.params.ids), request) };
  });

  Parse.Cloud.define('syncRemoved', async request => {
    const named = request.params.className ?? (classes.length === 1 ? classes[0] : undefined);
    return missing(checkedClass(named, classes), checkedIDs(request.params.ids), request);
  });

  Parse.Cloud.define('ferryDeletions', async request => {
    const className = checkedClass(request.params.class, logged);
    return { protocol: PROTOCOL, class: className, ...(await log.answer(className, request)) };
  });

  const record = request => log.record(request);
  for (const className of logged) if (!ownTriggers.includes(className)) Parse.Cloud.afterDelete(className, record);
  if (logged.length) log.begin();
  return { record };
};

/** Stops the server's start on a mistake, which would otherwise show as deletions that nobody logs. */
function check(classes, logged, ownTriggers, days, others) {
  const isList = list => Array.isArray(list) && list.every(name => typeof name === 'string' && name);
  if (!isList(classes) || !classes.length) throw new Error('ferry: "classes" must name the classes, as texts');
  for (const [option, list] of Object.entries({ logged, ownTriggers })) {
    if (!isList(list)) throw new Error(`ferry: "${option}" must be a list of names of classes`);
    const stranger = list.find(name => !(option === 'logged' ? classes : logged).includes(name));
    if (stranger) {
      throw new Error(`ferry: "${option}" names ${stranger}, which "${option === 'logged' ? 'classes' : 'logged'}" does not`);
    }
  }
  if (!(days >= 1 && days <= 3650)) throw new Error('ferry: "days" must be a number from 1 to 3650');
  const [unknown] = Object.keys(others);
  if (unknown) throw new Error(`ferry: there is no option "${unknown}"`);
}
