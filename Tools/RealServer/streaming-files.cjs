// Ferry: offline-first sync for Parse Server. MIT licence.
//
// A files adapter that answers ranges. Parse Server's own adapter for MongoDB does so, and there is no MongoDB to test
// against. This one is that adapter, with a folder instead of the database: all that it answers comes from Parse Server.

const fs = require("fs");
const path = require("path");
const { createRequire } = require("module");
const { Transform } = require("stream");

const parseServer = createRequire(fs.realpathSync(process.argv[1]));
const { GridFSBucketAdapter } = parseServer("../lib/Adapters/Files/GridFSBucketAdapter");

/** The part of MongoDB's bucket that the adapter uses, over files of a folder. */
class Folder {
  constructor(folder) {
    this.folder = folder;
    fs.mkdirSync(folder, { recursive: true });
  }

  place(name) {
    return path.join(this.folder, encodeURIComponent(name));
  }

  find({ filename }) {
    const place = this.place(filename);
    const found = fs.existsSync(place) ? [{ _id: filename, length: fs.statSync(place).size, metadata: {} }] : [];
    return { toArray: async () => found };
  }

  openUploadStream(name) {
    const stream = fs.createWriteStream(this.place(name));
    stream.id = name;
    return stream;
  }

  /** Begins to read when it is asked for data, as MongoDB's does; `end` is the first byte that is left out. */
  openDownloadStreamByName(name) {
    let start = 0;
    let end = Infinity;
    const output = new Transform({ transform: (chunk, encoding, done) => done(null, chunk) });
    output.start = (value) => { start = value; return output; };
    output.end = (value) => { if (value !== undefined) end = value; return output; };
    setImmediate(() => {
      const finish = () => Transform.prototype.end.call(output);
      if (start >= end) return finish();
      fs.createReadStream(this.place(name), { start, end: end - 1 })
        .on("data", (chunk) => output.write(chunk)).on("end", finish).on("error", (error) => output.emit("error", error));
    });
    return output;
  }

  async delete(name) {
    fs.unlinkSync(this.place(name));
  }
}

module.exports = class extends GridFSBucketAdapter {
  constructor() {
    super("mongodb://127.0.0.1:1/none");
    this.bucket = new Folder("files/streamed");
  }

  async _getBucket() {
    return this.bucket;
  }
};
