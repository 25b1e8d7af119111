// Another app on the same server: it runs Parse's own JavaScript SDK and reads commands line by line.
//
//   node foreign-client.cjs MODULES URL
//
// MODULES is a folder with node_modules/parse (`start --check` prints one). Each line of the input is a
// command as JSON: {"do":"save","className":"Game","fields":{…}}. The answer is one line: {"answer":…} or
// {"error":{"code":…,"message":…}}. Values and operations have Parse's JSON form; this program converts them
// to the SDK's types and calls. It ends when its input ends.
const [modules, url] = process.argv.slice(2);
const Parse = require(require.resolve('parse/node', { paths: [modules] }));

Parse.initialize('app1');
Parse.serverURL = url;
Parse.User.enableUnsafeCurrentUser();

/** An object of the SDK, with the fields set and the operations called that are written in `fields`. */
function edited({ className, objectId, fields }) {
  const object = new Parse.Object(className);
  if (objectId) object.id = objectId;
  for (const [name, value] of Object.entries(fields)) {
    const values = () => value.objects.map(each => Parse._decode(name, each));
    switch (value?.__op) {
      case 'Increment': object.increment(name, value.amount); break;
      case 'Add': object.addAll(name, values()); break;
      case 'AddUnique': object.addAllUnique(name, values()); break;
      case 'Remove': object.removeAll(name, values()); break;
      case 'Delete': object.unset(name); break;
      case 'AddRelation': object.relation(name).add(values()); break;
      case 'RemoveRelation': object.relation(name).remove(values()); break;
      default:
        if (name === 'ACL') object.setACL(new Parse.ACL(value));
        else object.set(name, Parse._decode(name, value));
    }
  }
  return object;
}

const signedIn = user => ({ objectId: user.id, sessionToken: user.getSessionToken() });

const commands = {
  async signUp({ username, password }) { return signedIn(await Parse.User.signUp(username, password)); },
  async logIn({ username, password }) { return signedIn(await Parse.User.logIn(username, password)); },
  async logOut() { await Parse.User.logOut(); return null; },
  async save(command) { return (await edited(command).save()).toJSON(); },
  async saveAll({ className, rows }) {
    const saved = await Parse.Object.saveAll(rows.map(fields => edited({ className, fields })));
    return saved.map(object => object.toJSON());
  },
  async destroy(command) { await edited({ ...command, fields: {} }).destroy(); return null; },
  async destroyAll({ className, objectIds }) {
    await Parse.Object.destroyAll(objectIds.map(objectId => edited({ className, objectId, fields: {} })));
    return null;
  },
  async find({ className }) {
    return (await new Parse.Query(className).limit(10000).find()).map(object => object.toJSON());
  },
  async count({ className }) { return new Parse.Query(className).count(); },
  async related({ className, objectId, field }) {
    const members = await edited({ className, objectId, fields: {} }).relation(field).query().find();
    return members.map(object => object.id);
  },
  async upload({ name, base64, type }) {
    return (await new Parse.File(name, { base64 }, type).save()).toJSON();
  },
  async download({ file }) { return Parse.File.fromJSON(file).getData(); },
};

async function carryOut(line) {
  try {
    const command = JSON.parse(line);
    return { answer: await commands[command.do](command) };
  } catch (error) {
    return { error: { code: error.code ?? 0, message: `${error.message ?? error}` } };
  }
}

(async () => {
  for await (const line of require('readline').createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await carryOut(line))}\n`);
  }
})();
