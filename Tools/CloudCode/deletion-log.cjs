// Ferry: offline-first sync for Parse Server. MIT licence.
//
// A log of deleted records, in two classes that only the master key may read or write:
//
//   FerryDeletion   a row for each deletion: `of` (class), `record` (id), `at` (milliseconds), `readers`
//   FerryLogStart   `at`: the log has all deletions since the greatest of them

const { checkedLimit, refusal, serverLimit } = require('./parameters.cjs');
const { checkMayRead, namesOf, readersOf } = require('./readers.cjs');

const DAY = 24 * 60 * 60 * 1000;
const HOUR = 60 * 60 * 1000;
/**
 * How far each answer reaches back behind the moment at which it ends.
 *
 * An entry has the time of its beginning and becomes visible later. Clocks of several processes differ, too.
 */
const OVERLAP = 60 * 1000;
/** An entry that took longer to write may have been missed. The other half of the overlap is for clocks that differ. */
const SLOW = OVERLAP / 2;
const master = { useMasterKey: true };
/** No right for any client. */
const CLOSED = { find: {}, get: {}, count: {}, create: {}, update: {}, delete: {}, addField: {} };

class DeletionLog {
  constructor(days) {
    this.days = days;
    this.pruned = 0;
    /** When a gap began that could not be written down yet. */
    this.gap = null;
  }

  /**
   * Prepares the classes, and begins the log anew.
   *
   * Nobody knows what happened while this process did not run: another one may have deleted records without this
   * module, and this one may have ended between a deletion and its entry. So each start begins the log anew.
   */
  begin() {
    this.ready ??= (async () => {
      await prepare('FerryDeletion', { of: 'String', record: 'String', at: 'Number', readers: 'Array' }, { of: 1, at: 1 });
      await prepare('FerryLogStart', { at: 'Number' });
      await this.noteGap();
    })().catch(error => {
      this.ready = null;
      throw error;
    });
    // A failure shows at the next use, which tries again.
    this.ready.catch(() => {});
    return this.ready;
  }

  /** Writes an entry for a deleted record; the trigger `afterDelete` awaits it. It never fails a deletion. */
  async record({ object, log }) {
    try {
      await this.begin();
      const at = Date.now();
      await row('FerryDeletion', { of: object.className, record: object.id, at, readers: readersOf(object) });
      if (Date.now() - at > SLOW) await this.noteGap();
    } catch (error) {
      log?.error(`ferry: a deletion in ${object.className} could not be logged: ${error.message ?? error}`);
      await this.noteGap().catch(() => {});
    }
    this.prune(log);
  }

  /** The ids of records that were deleted since a moment, and the moment for the next request. */
  async answer(className, request) {
    await checkMayRead(className, request);
    const limit = Math.min(checkedLimit(request.params.limit), serverLimit());
    const since = Position.read(request.params.since);
    const now = Date.now();
    const completeSince = await this.completeSince(now);
    const end = since?.end ?? Math.max(now - OVERLAP, completeSince);
    const head = { completeSince: new Date(completeSince).toISOString() };
    if (!since || since.at < completeSince || since.at > now + OVERLAP) {
      const next = Math.max(now - OVERLAP, completeSince);
      return { ...head, isComplete: false, ids: [], until: new Position(next).text, hasMore: false };
    }
    const entries = await entriesOf(className, since, await namesOf(request), limit);
    const last = entries[entries.length - 1];
    // An answer that is full may have a next one, whose end is that of the first.
    const hasMore = entries.length >= limit;
    const until = hasMore ? new Position(last.get('at'), last.id, end) : new Position(end);
    return { ...head, isComplete: true, ids: [...new Set(entries.map(entry => entry.get('record')))], until: until.text, hasMore };
  }

  /** The moment since which the log has all deletions. */
  async completeSince(now) {
    await this.begin();
    if (this.gap) await this.noteGap().catch(() => {});
    const oldest = now - this.days * DAY;
    if (this.gap) return now;
    const newest = await new Parse.Query('FerryLogStart').descending('at').first(master);
    if (newest) return Math.max(newest.get('at'), oldest);
    // A person emptied the class: it may also lack entries, and its permissions.
    this.ready = null;
    await this.begin();
    return now;
  }

  /** Notes that the log lacks deletions from before this moment. */
  async noteGap() {
    this.gap = Date.now();
    const at = this.gap;
    await row('FerryLogStart', { at });
    if (this.gap === at) this.gap = null;
    const older = await new Parse.Query('FerryLogStart').lessThan('at', at).limit(100).find(master);
    await Parse.Object.destroyAll(older, master);
  }

  /** Removes entries that the log no longer promises, once an hour; nothing waits for it. */
  prune(log) {
    const now = Date.now();
    if (now - this.pruned < HOUR) return;
    this.pruned = now;
    (async () => {
      for (let round = 0; round < 100; round += 1) {
        const old = await new Parse.Query('FerryDeletion').lessThan('at', now - (this.days + 1) * DAY)
          .select('at').limit(100).find(master);
        if (!old.length) return;
        await Parse.Object.destroyAll(old, master);
      }
    })().catch(error => log?.error(`ferry: old entries could not be removed: ${error.message ?? error}`));
  }
}

/** A place in the log: behind the entry `id` of the moment `at`, in answers that end at the moment `end`. */
class Position {
  constructor(at, id = '', end = null) {
    this.at = at;
    this.id = id;
    this.end = end;
  }

  get text() {
    return this.id ? `${this.at}/${this.id}/${this.end}` : String(this.at);
  }

  /** The place that a caller sends back; nil where the caller has none yet. */
  static read(text) {
    if (text === undefined || text === null) return null;
    const parts = typeof text === 'string' && /^(\d{1,15})(?:\/(\w{1,200})\/(\d{1,15}))?$/.exec(text);
    if (!parts) throw refusal('"since" must be the "until" of an answer before.');
    return new Position(Number(parts[1]), parts[2], parts[3] === undefined ? null : Number(parts[3]));
  }
}

async function entriesOf(className, since, names, limit) {
  const behind = new Parse.Query('FerryDeletion').greaterThan('at', since.at);
  const beside = new Parse.Query('FerryDeletion').equalTo('at', since.at);
  if (since.id) beside.greaterThan('objectId', since.id);
  const query = Parse.Query.or(behind, beside).equalTo('of', className);
  if (names) query.containedIn('readers', names);
  return query.ascending('at').addAscending('objectId').limit(limit).find(master);
}

function row(className, fields) {
  const object = new Parse.Object(className, fields);
  // The classes are closed to clients; this holds if a person opens them by mistake.
  object.setACL(new Parse.ACL());
  return object.save(null, master);
}

/** Creates a class that is closed to clients, or closes one that exists; several processes may do so at once. */
async function prepare(className, fields, index) {
  const schema = new Parse.Schema(className);
  const existing = await schema.get().catch(() => null);
  for (const [name, type] of Object.entries(fields)) if (!existing?.fields[name]) schema.addField(name, type);
  if (index && !existing?.indexes?.ferry) schema.addIndex('ferry', index);
  schema.setCLP(CLOSED);
  try {
    await (existing ? schema.update() : schema.save());
  } catch (error) {
    // Another process was faster.
    const [now, again] = [await new Parse.Schema(className).get(), new Parse.Schema(className)];
    if (!Object.keys(fields).every(name => now.fields[name])) throw error;
    again.setCLP(CLOSED);
    await again.update();
  }
}

module.exports = { DeletionLog };
