// The Cloud Code of the sections that ask for it. Its twin for the double is ContractCloudCode.swift.

Parse.Cloud.beforeSave('Kept', ({ object, original }) => {
  switch (object.get('title')) {
    case 'refused': throw new Parse.Error(777, 'not this title');
    case 'text': throw 'no title';
    case 'error': throw new Error('no title at all');
  }
  if (object.get('title')) object.set('slug', object.get('title').toLowerCase());
  if (object.get('drop')) object.unset('drop');
  if (object.get('point')) object.set('to', Parse.Object.fromJSON({ className: 'Kept', objectId: 'k1' }));
  if (original) object.set('before', original.get('title') || '');
});

Parse.Cloud.beforeDelete('Kept', ({ object }) => {
  if (object.get('title') === 'for ever') throw 'it stays';
});

Parse.Cloud.afterFind('Kept', ({ objects }) => objects.filter(object => !object.get('hidden')));

Parse.Cloud.define('echo', ({ params }) => params);
Parse.Cloud.define('nothing', () => {});
Parse.Cloud.define('zero', () => 0);
Parse.Cloud.define('once', ({ params }) => params);
Parse.Cloud.define('date', () => new Date('2024-02-03T04:05:06.789Z'));
Parse.Cloud.define('kind', ({ params }) => params.when instanceof Date ? 'a date' : typeof params.when);
Parse.Cloud.define('refuse', () => { throw new Parse.Error(777, 'custom'); });
Parse.Cloud.define('fail', () => { throw new Error('it failed'); });
Parse.Cloud.define('text', () => { throw 'a text'; });
Parse.Cloud.define('picky', ({ params }) => params.a, { fields: ['a'] });

// Gates: a write to the class Gated waits, after it was stamped, at the gate it names, until the gate is opened.
const gates = {};
function gate(name) {
  if (!gates[name]) {
    const made = gates[name] = {};
    made.arrival = new Promise(resolve => { made.arrive = resolve; });
    made.opening = new Promise(resolve => { made.open = resolve; });
  }
  return gates[name];
}
Parse.Cloud.beforeSave('Gated', async ({ object }) => {
  const name = object.get('gate');
  if (!name) return;
  object.unset('gate');
  gate(name).arrive();
  await gate(name).opening;
});
Parse.Cloud.afterSave('Gated', ({ object }) => { gate('saved ' + object.id).arrive(); });
Parse.Cloud.define('arrival', async ({ params }) => { await gate(params.gate).arrival; });
Parse.Cloud.define('open', ({ params }) => { gate(params.gate).open(); });
Parse.Cloud.define('saved', async ({ params }) => { await gate('saved ' + params.id).arrival; });
