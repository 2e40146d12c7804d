import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { asset, cachedFolder } from './installation';
import { FIRST_COMPILER, jarsOf } from './maven';
import { freePorts, startProgram } from './program';
import { startServerProcess } from './server-process';
import type { TestServer } from './server';

const run = promisify(execFile);

const VERSION = '1.47.0';
const START_TIMEOUT_MS = 300_000;
/** The machine may be busy: nothing is to fail because an answer took long. */
const ANSWER_TIMEOUT_MS = 120_000;

const ask = async (url: string): Promise<void> => {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1_000 });
  try {
    await client.db('admin').command({ ping: 1 });
  } finally {
    await client.close();
  }
};

/** The class path of the stand-in (`mongodb/stand-in`), which is compiled the first time. */
async function classPath(): Promise<string> {
  const folder = asset('mongodb', 'stand-in');
  const sources = (await readdir(folder)).sort().map(name => join(folder, name));
  const jars = join(await jarsOf('mongodb', 'mongo-java-server', VERSION), '*');
  const hash = createHash('sha256').update(VERSION);
  for (const source of sources) hash.update(await readFile(source));
  const classes = await cachedFolder(`stand-in-${hash.digest('hex').slice(0, 16)}`, compiled =>
    run('javac', ['-cp', jars, '-d', compiled, ...sources]),
  );
  return [classes, jars].join(delimiter);
}

const JAVA = [
  '-Xmx384m',
  '-XX:+UseSerialGC',
  FIRST_COMPILER,
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
];

const standIn = (...options: string[]): TestServer => ({
  name: 'MongoDB',
  kind: 'stand-in',
  setting: 'MONGODB_URL',

  start: async folder => {
    await mkdir(folder, { recursive: true });
    const classes = await classPath();
    const [port] = (await freePorts(1)) as [number];
    const args = [String(port), join(folder, 'data.mv'), ...options];
    // The second is for heartbeats.
    const limits = `socketTimeoutMS=${ANSWER_TIMEOUT_MS}&connectTimeoutMS=${ANSWER_TIMEOUT_MS}`;
    const url = `mongodb://127.0.0.1:${port}/?directConnection=true&${limits}`;
    return startServerProcess({
      folder,
      url,
      start: () =>
        startProgram('java', [...JAVA, '-cp', classes, 'StandIn', ...args], join(folder, 'output.log')),
      ask: () => ask(url),
      timeoutMs: START_TIMEOUT_MS,
      version: () => `mongo-java-server ${VERSION}, as MongoDB 6.0`,
    });
  },
});

/**
 * A stand-in for MongoDB, a replica set of one: mongo-java-server, which speaks its protocol, stored in a file. It handles one
 * message at a time; while a transaction is open all others wait. No change streams; indexes have no effect on speed, and
 * strings are ordered by UTF-16 units. Needs Java 17 and, the first time, Maven and a registry.
 */
export const mongodb: TestServer = standIn();

/** The stand-in as a server without a replica set. */
export const standaloneMongodb: TestServer = standIn('standalone');
