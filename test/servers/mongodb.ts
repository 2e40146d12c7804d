import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { asset, cached } from './installation';
import { freePorts, startProgram } from './program';
import { serve } from './serve';
import type { TestServer } from './server';

const run = promisify(execFile);

const VERSION = '1.47.0';
const START_MS = 60_000;

/** The folder with the stand-in's jars, fetched from Maven Central the first time. */
const jars = async (): Promise<string> => {
  const folder = cached(`mongo-java-server-${VERSION}`);
  if (existsSync(folder)) return folder;
  const half = `${folder}.${process.pid}`;
  await run('mvn', [
    ...['-q', '-B', '-f', asset('mongodb', 'pom.xml'), 'dependency:copy-dependencies'],
    ...['-DincludeScope=runtime', `-Dmongo-java-server.version=${VERSION}`, `-DoutputDirectory=${half}`],
  ]);
  await rename(half, folder);
  return folder;
};

const ask = async (url: string): Promise<void> => {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1_000 });
  try {
    await client.db('admin').command({ ping: 1 });
  } finally {
    await client.close();
  }
};

/**
 * A stand-in for MongoDB: mongo-java-server, which speaks its protocol, kept in a file. No transactions, no change
 * streams, one server; indexes make nothing faster, and strings are ordered by UTF-16 units. Needs Java 17 and, the first
 * time, Maven and a registry.
 */
export const mongodb: TestServer = {
  name: 'MongoDB',
  kind: 'stand-in',
  setting: 'MONGODB_URL',

  start: async folder => {
    await mkdir(folder, { recursive: true });
    const classes = join(await jars(), '*');
    const [port] = (await freePorts(1)) as [number];
    const url = `mongodb://127.0.0.1:${port}/?directConnection=true`;
    return serve({
      folder,
      url,
      start: () =>
        startProgram(
          'java',
          [
            ...['-Xmx384m', '-XX:+UseSerialGC', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'],
            ...['-cp', classes, asset('mongodb', 'StandIn.java'), String(port), join(folder, 'data.mv')],
          ],
          join(folder, 'output.log'),
        ),
      ask: () => ask(url),
      patience: START_MS,
      version: () => `mongo-java-server ${VERSION}, as MongoDB 6.0`,
    });
  },
};
