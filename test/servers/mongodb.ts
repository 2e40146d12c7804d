import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
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

const ask = async (url: string): Promise<void> => {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1_000 });
  try {
    await client.db('admin').command({ ping: 1 });
  } finally {
    await client.close();
  }
};

/** The class path of `StandIn.java`, which is compiled the first time. */
async function classPath(): Promise<string> {
  const source = asset('mongodb', 'StandIn.java');
  const jars = join(await jarsOf('mongodb', 'mongo-java-server', VERSION), '*');
  const hash = createHash('sha256')
    .update(VERSION)
    .update(await readFile(source))
    .digest('hex');
  const classes = await cachedFolder(`stand-in-${hash.slice(0, 16)}`, folder =>
    run('javac', ['-cp', jars, '-d', folder, source]),
  );
  return [classes, jars].join(delimiter);
}

/**
 * A stand-in for MongoDB: mongo-java-server, which speaks its protocol, stored in a file, and handles one message at a time
 * (`StandIn.java`). No transactions, no change streams, one server; indexes have no effect on speed, and strings are ordered
 * by UTF-16 units. Needs Java 17 and, the first time, Maven and a registry.
 */
export const mongodb: TestServer = {
  name: 'MongoDB',
  kind: 'stand-in',
  setting: 'MONGODB_URL',

  start: async folder => {
    await mkdir(folder, { recursive: true });
    const classes = await classPath();
    const [port] = (await freePorts(1)) as [number];
    const url = `mongodb://127.0.0.1:${port}/?directConnection=true`;
    return startServerProcess({
      folder,
      url,
      start: () =>
        startProgram(
          'java',
          [
            ...[
              '-Xmx384m',
              '-XX:+UseSerialGC',
              FIRST_COMPILER,
              '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
            ],
            ...['-cp', classes, 'StandIn', String(port), join(folder, 'data.mv')],
          ],
          join(folder, 'output.log'),
        ),
      ask: () => ask(url),
      timeoutMs: START_TIMEOUT_MS,
      version: () => `mongo-java-server ${VERSION}, as MongoDB 6.0`,
    });
  },
};
