import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { CannotOpen } from '../../infra/config/cannot-open';
import { openEventStore } from '../../infra/engines/engines';
import { foreignEvents } from '../../infra/engines/event-store/foreign-events';
import { OPEN_TIMEOUT_MS } from '../../infra/engines/open-timeout';
import { openEventStoreDb } from '../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import { startFaultyProxy } from './faulty-proxy';
import { eventstoredb, PROGRAM } from './eventstoredb';
import { newCategory, newEvents } from './eventstoredb-traffic';
import { freePorts, startProgram } from './program';
import type { RunningServer } from './server';

let folder: string;
let server: RunningServer;
let store: EventStore;
let client: EventStoreDBClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eventstoredb-behavior-'));
  server = await eventstoredb.start(join(folder, 'server'));
  store = await openEventStoreDb({ url: server.url });
  client = EventStoreDBClient.connectionString(server.url);
});
afterAll(async () => {
  await client.dispose();
  await store.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

const portOf = (url: string): number => Number(/:(\d+)\?/.exec(url)![1]);

const revisionsOf = async (stream: string): Promise<number[]> => {
  const revisions: number[] = [];
  for await (const { revision } of store.readStream(stream)) revisions.push(revision);
  return revisions;
};

describe('events of other clients', () => {
  test('are left out when they are system events or tombstones', async () => {
    const category = newCategory();
    const before = await store.head();
    const signal = AbortSignal.timeout(60_000);
    await store.append(`${category}-1`, 'no_stream', newEvents(2));
    await client.appendToStream('$test-system', jsonEvent({ type: 'x', data: {} }));
    await client.deleteStream(`${category}-1`);
    const { position } = await store.append(`${category}-2`, 'no_stream', newEvents(1));
    await client.tombstoneStream(`${category}-1`);
    await client.appendToStream('$test-system', jsonEvent({ type: 'x', data: {} }));

    const isOurs = ({ stream, type }: RecordedEvent): boolean =>
      !stream.startsWith('$') && !type.startsWith('$');
    const read: RecordedEvent[] = [];
    for await (const batch of store.readAll({ after: before })) read.push(...batch);
    const received: RecordedEvent[] = [];
    for await (const batch of store.subscribe({ after: before, signal })) {
      received.push(...batch.events);
      // Two system events follow our last one.
      if (batch.position > position) break;
    }
    expect(read).toHaveLength(3);
    expect(read.every(isOurs)).toBe(true);
    expect(received).toEqual(read);
    expect(await store.head()).toBe(position);
    expect(await revisionsOf(`${category}-2`)).toEqual([0]);
  });

  test('a deleted stream is empty and continues its revisions; a tombstoned one rejects appends', async () => {
    const stream = `${newCategory()}-1`;
    await store.append(stream, 'no_stream', newEvents(2));
    await client.deleteStream(stream);
    expect(await revisionsOf(stream)).toEqual([]);
    await expect(store.append(stream, 'no_stream', newEvents(1))).resolves.toMatchObject({ revision: 2 });
    expect(await revisionsOf(stream)).toEqual([2]);
    await client.tombstoneStream(stream);
    for (const work of [store.append(stream, 2, newEvents(1)), revisionsOf(stream)]) {
      const error: unknown = await work.catch((reason: unknown) => reason);
      expect(error).not.toBeInstanceOf(EngineUnavailable);
      expect(String(error)).toContain('was deleted');
    }
    await store.deleteUpTo(stream, 2);
  });

  test('are counted when they are in our streams, whatever they are, and ours are read and appended', async () => {
    const foreign = foreignEvents();
    const ours = await openEventStore({ DATA_DIR: folder, EVENTSTORE_URL: server.url }, undefined, foreign);
    const category = newCategory();
    const stream = `${category}-1`;
    const own = () => newEvents(1).map(event => ({ ...event, metadata: { v: 1 } }));
    const after = await store.end();
    await ours.append(stream, 'no_stream', own());
    const bytes = (type: string, text: string) => binaryEvent({ type, data: Buffer.from(text) });
    const theirs = [
      bytes('Image', '\xff\x00'),
      bytes('$>', '0@elsewhere-1'),
      { ...bytes('WithVersion', 'text'), metadata: Buffer.from('{"v":1}') },
      bytes('Empty', ''),
      ...[[], null, 7, 'text'].map(data => jsonEvent({ type: 'NoObject', data: data as never })),
      jsonEvent({ type: 'SomethingElse', data: {} }),
    ];
    await client.appendToStream(stream, theirs);
    await client.appendToStream(`${category}-2`, theirs.slice(0, 1));
    await client.appendToStream(newCategory(), theirs);

    for await (const _event of ours.readStream(`${category}-2`));
    const { position } = await ours.append(`${category}-2`, 'no_stream', own());
    const read = async (): Promise<RecordedEvent[]> => {
      const events: RecordedEvent[] = [];
      for await (const batch of ours.readAll({ after, categories: [category] })) events.push(...batch);
      return events;
    };
    expect((await read()).map(event => event.stream)).toEqual([stream, `${category}-2`]);
    expect(foreign.report()).toMatchObject({ count: theirs.length + 1, first: { type: 'Image' } });
    await expect(ours.append(stream, 0, own())).resolves.toMatchObject({ revision: theirs.length + 1 });

    const received: RecordedEvent[] = [];
    const signal = AbortSignal.timeout(60_000);
    for await (const batch of ours.subscribe({ after, categories: [category], signal })) {
      received.push(...batch.events);
      if (batch.position > position) break;
    }
    expect(received).toEqual(await read());
    expect(foreign.report()).toMatchObject({ count: theirs.length + 1 });
    await ours.close();
  });
});

test('deleting events keeps what operators have set in the metadata of their stream', async () => {
  const stream = `${newCategory()}-1`;
  await store.append(stream, 'no_stream', newEvents(3));
  await client.setStreamMetadata(stream, { maxAge: 1_000_000, owner: 'ann' });
  await store.deleteUpTo(stream, 1);
  expect(await revisionsOf(stream)).toEqual([2]);
  const { metadata } = await client.getStreamMetadata(stream);
  expect(metadata).toEqual({ maxAge: 1_000_000, owner: 'ann', truncateBefore: 2 });
});

describe('reading', () => {
  test.each(['forwards', 'backwards'] as const)(
    'a limit counts only the returned events: %s',
    async direction => {
      const category = newCategory();
      for (const name of ['first', 'second', 'third']) {
        await store.append(`${category}-${name}`, 'no_stream', newEvents(1));
        // Each leaves an event in its category that is not returned.
        for (let n = 0; n < 4; n++) await client.tombstoneStream(`${category}-${name}${n}`);
      }
      const shown: string[] = [];
      for await (const batch of store.readAll({ categories: [category], direction, limit: 2 }))
        shown.push(...batch.map(({ stream }) => stream.slice(category.length + 1)));
      expect(shown).toEqual(direction === 'forwards' ? ['first', 'second'] : ['third', 'second']);
    },
  );

  // HTTP/2 servers treat many cancelled calls on one connection as an attack, and close it.
  test('many short reads keep the connection open', async () => {
    const category = newCategory();
    const { position } = await store.append(`${category}-1`, 'no_stream', newEvents(3));
    const first = async (): Promise<number> => {
      let events = 0;
      for await (const batch of store.readAll({ categories: [category], limit: 1 })) events += batch.length;
      return events;
    };
    for (let round = 0; round < 40; round++) {
      const heads = await Promise.all(Array.from({ length: 50 }, () => store.head()));
      expect(Math.min(...heads)).toBeGreaterThanOrEqual(position);
      expect(await Promise.all(Array.from({ length: 10 }, first))).toEqual(Array(10).fill(1));
    }
  });
});

describe('opening', () => {
  const refusalOf = async (url: string): Promise<CannotOpen> => {
    const error: unknown = await openEventStoreDb({ url }).then(
      opened => opened.close(),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(CannotOpen);
    expect((error as CannotOpen).setting).toBe('EVENTSTORE_URL');
    expect((error as CannotOpen).message).not.toContain('s3cret');
    return error as CannotOpen;
  };

  test.each([
    ['postgres://localhost', 'must have the form'],
    ['esdb://admin:s3cret@localhost:2113?tsl=false', 'no option tsl'],
    ['esdb://admin:s3cret@localhost:2113?tlsVerifyCert=false', 'tlsCAFile'],
    ['esdb://admin:s3cret@localhost:abc', 'cannot be used'],
    ['esdb://admin:s3cret@localhost:2113?tlsCAFile=/nowhere/ca.pem', 'cannot be used'],
    ['esdb://admin:s3cret@127.0.0.1:1?tls=false', 'nothing listens at 127.0.0.1:1'],
    ['esdb+discover://admin:s3cret@127.0.0.1:1?tls=false', 'no node of the cluster at 127.0.0.1:1'],
    ['esdb://admin:s3cret@no-such-host.invalid:2113?tls=false', 'unknown host no-such-host.invalid'],
  ])('%s is reported with the cause', async (url, words) => {
    expect((await refusalOf(url)).message).toContain(words);
  });

  test('a server without TLS', async () => {
    const { message } = await refusalOf(`esdb://admin:s3cret@127.0.0.1:${portOf(server.url)}`);
    expect(message).toContain('tls=false');
  });

  test('another kind of server', async () => {
    const other = createServer(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
      0,
      '127.0.0.1',
    );
    await new Promise(resolve => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    expect((await refusalOf(`esdb://127.0.0.1:${port}?tls=false`)).message).toContain('does not respond');
    other.close();
  });

  test('a server that never responds', async () => {
    const proxy = await startFaultyProxy({ port: portOf(server.url) });
    proxy.pause();
    const { message } = await refusalOf(`esdb://127.0.0.1:${proxy.port}?tls=false`).finally(() =>
      proxy.close(),
    );
    expect(message).toContain(`did not respond within ${OPEN_TIMEOUT_MS / 1_000} s`);
  });

  test('the URL scheme of KurrentDB and credentials are accepted', async () => {
    const kurrent = await openEventStoreDb({
      url: server.url.replace('esdb://', 'kurrentdb://admin:changeit@'),
    });
    const appended = await kurrent.append(`${newCategory()}-1`, 'no_stream', newEvents(1));
    expect(appended.revision).toBe(0);
    await kurrent.close();
  });

  test('a server with TLS and users accepts only the right ones', async () => {
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
    ]);
    const [port] = (await freePorts(1)) as [number];
    const args = [PROGRAM, join(folder, 'secure'), String(port), certificate, key, 'admin:s3cret!'];
    const program = await startProgram(process.execPath, args, join(folder, 'secure.log'));
    const url = (credentials: string, query: string): string =>
      `esdb://${credentials}@localhost:${port}?${query}`;
    const trusted = `tlsCAFile=${encodeURIComponent(certificate)}`;
    const secure = await program.answers(
      () => openEventStoreDb({ url: url('admin:s3cret%21', trusted) }),
      120_000,
    );
    await expect(secure.append(`${newCategory()}-1`, 'no_stream', newEvents(1))).resolves.toMatchObject({
      revision: 0,
    });
    await secure.close();
    expect((await refusalOf(url('admin:s3cret', trusted))).message).toContain('rejected the credentials');
    expect((await refusalOf(url('admin:s3cret%21', 'tls=true'))).message).toContain('no TLS connection');
    expect((await refusalOf(url('admin:s3cret%21', 'tls=false'))).message).toContain('wants TLS');
    await program.end('SIGTERM');
  });
});
