import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import { asset } from './installation';
import { FIRST_COMPILER, jarsOf } from './maven';
import { freePorts, startProgram } from './program';
import { startServerProcess } from './server-process';
import type { TestServer } from './server';

const run = promisify(execFile);

const WANTED = process.env['KAFKA_VERSION'] ?? '3.9.1';
const START_TIMEOUT_MS = 300_000;

const configure = async (folder: string, broker: number, controller: number): Promise<string> => {
  const file = join(folder, 'server.properties');
  const ours = [
    `listeners=PLAINTEXT://127.0.0.1:${broker},CONTROLLER://127.0.0.1:${controller}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${broker}`,
    `controller.quorum.voters=1@127.0.0.1:${controller}`,
    `log.dirs=${join(folder, 'data')}`,
  ];
  await writeFile(file, [await readFile(asset('kafka', 'server.properties'), 'utf8'), ...ours].join('\n'));
  return file;
};

const QUIET = [
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  '-Dorg.slf4j.simpleLogger.log.org.apache.kafka.common.utils.AppInfoParser=info',
];

const describe = async (url: string): Promise<void> => {
  const admin = new Kafka({
    brokers: [url],
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
  }).admin();
  try {
    await admin.connect();
    await admin.describeCluster();
  } finally {
    await admin.disconnect();
  }
};

/**
 * A broker of Apache Kafka in KRaft mode, alone. Needs Java 17 and, the first time, Maven and a registry.
 * `KAFKA_VERSION` selects another version than 3.9.1.
 */
export const kafka: TestServer = {
  name: 'Kafka',
  kind: 'real',
  setting: 'KAFKA_BROKERS',

  start: async folder => {
    await mkdir(folder, { recursive: true });
    const classes = join(await jarsOf('kafka', 'kafka', WANTED), '*');
    const [port, controller] = (await freePorts(2)) as [number, number];
    const url = `127.0.0.1:${port}`;
    const file = await configure(folder, port, controller);
    const java = (...options: string[]): string[] => [...QUIET, FIRST_COMPILER, ...options];
    // A leading hyphen would be taken for an option.
    const cluster = `T${randomBytes(16).toString('base64url').slice(1)}`;
    await run('java', [
      ...java('-Xmx128m', '-cp', classes, 'kafka.tools.StorageTool'),
      ...['format', '-t', cluster, '-c', file],
    ]);

    return startServerProcess({
      folder,
      url,
      start: () =>
        startProgram(
          'java',
          java('-Xms128m', '-Xmx768m', '-XX:+UseSerialGC', '-cp', classes, 'kafka.Kafka', file),
          join(folder, 'output.log'),
        ),
      ask: () => describe(url),
      timeoutMs: START_TIMEOUT_MS,
      version: broker =>
        `Apache Kafka ${/Kafka version: (\S+)/.exec(broker.output())?.[1] ?? 'of unknown version'}`,
    });
  },
};
