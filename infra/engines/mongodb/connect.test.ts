import dns from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { BSON } from 'mongodb';
import { startHttpsServer } from '../../../test/doubles/https-server';
import { CannotOpen } from '../../config/cannot-open';
import { createLocalWakeUps } from '../wake-ups/local';
import { connect } from './connect';
import { openMongoDocuments } from '../documents/mongodb/mongodb-documents';

const rejection = async (url: string): Promise<CannotOpen> => {
  const error: unknown = await openMongoDocuments({ url, wakeUps: createLocalWakeUps() }).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CannotOpen);
  expect(String(error)).not.toContain('s3cret');
  return error as CannotOpen;
};

/** A port of this machine at which nothing listens. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
};

test.each(['', 'x', 'http://a:s3cret@b', 'mongodb://a:s3cret@', 'mongodb://a:s3cret@h/?nonsense=1'])(
  'a URL of another scheme is rejected: %j',
  async url => {
    expect((await rejection(url)).message).toMatch(/^MONGODB_URL: not a URL of MongoDB/);
  },
);

// The client looks for a server for three seconds each time.
test.concurrent('a port where nothing listens is reported as such', async () => {
  const port = await freePort();
  const { message, setting } = await rejection(`mongodb://a:s3cret@127.0.0.1:${port}/`);
  expect(setting).toBe('MONGODB_URL');
  expect(message).toBe(`MONGODB_URL: nothing listens at 127.0.0.1:${port}`);
});

test.concurrent('an unknown host is reported as such', async () => {
  const { message } = await rejection('mongodb://a:s3cret@no-such-host.invalid/');
  expect(message).toBe('MONGODB_URL: the host is not known');
});

test.concurrent('a server that does not answer is reported after the timeout', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const opened = connect(`mongodb://127.0.0.1:${port}/`, () => Promise.resolve(), { timeoutMs: 1 });
  await expect(opened).rejects.toThrow('MONGODB_URL: no writable server answered in time');
  server.close();
});

const OP_QUERY = 2004;

/** A member of a replica set that has lost its primary: it greets, in the form in which it is greeted. */
async function startSecondary(): Promise<{ port: number; close(): void }> {
  const server = createServer(socket => {
    socket.on('error', () => undefined);
    socket.on('data', request => {
      const isQuery = request.readInt32LE(12) === OP_QUERY;
      const { port } = server.address() as AddressInfo;
      const greeting = BSON.serialize({
        ok: 1,
        secondary: true,
        setName: 'rs0',
        hosts: [`127.0.0.1:${port}`],
        me: `127.0.0.1:${port}`,
        minWireVersion: 0,
        maxWireVersion: 17,
        maxBsonObjectSize: 16_777_216,
      });
      const head = Buffer.alloc(isQuery ? 36 : 21);
      head.writeInt32LE(head.length + greeting.length, 0);
      head.writeInt32LE(request.readInt32LE(4), 8);
      head.writeInt32LE(isQuery ? 1 : 2013, 12);
      if (isQuery) head.writeInt32LE(1, 32);
      socket.write(Buffer.concat([head, greeting]));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

test.concurrent('an election is waited for, though nothing listens where the primary was', async () => {
  const secondary = await startSecondary();
  const hosts = `127.0.0.1:${await freePort()},127.0.0.1:${secondary.port}`;
  const url = `mongodb://${hosts}/?replicaSet=rs0`;
  const opened = connect(url, () => Promise.resolve(), { timeoutMs: 1 });
  await expect(opened).rejects.toThrow('MONGODB_URL: no writable server answered in time');
  secondary.close();
});

test.concurrent('a server that wants TLS is named to a client without it', async () => {
  const server = await startHttpsServer(() => undefined);
  const { message } = await rejection(`mongodb://a:s3cret@127.0.0.1:${server.port}/`);
  expect(message).toBe(
    `MONGODB_URL: the server at 127.0.0.1:${server.port} wants TLS: the URL needs tls=true`,
  );
  await server.close();
});

test.concurrent('of several servers the one that does not fit is named', async () => {
  const server = await startHttpsServer(() => undefined);
  const hosts = `127.0.0.1:${await freePort()},127.0.0.1:${server.port}`;
  const { message } = await rejection(`mongodb://a:s3cret@${hosts}/`);
  expect(message).toBe(
    `MONGODB_URL: the server at 127.0.0.1:${server.port} wants TLS: the URL needs tls=true`,
  );
  await server.close();
});

describe('a URL whose servers are in the DNS', () => {
  const URL_IN_DNS = 'mongodb+srv://a:s3cret@cluster.db.test/books?tls=false';
  const failed = (code: string) =>
    Object.assign(new Error(`querySrv ${code} _mongodb._tcp.cluster.db.test`), { code });
  const asked = jest.spyOn(dns.promises, 'resolve');
  afterAll(() => jest.restoreAllMocks());

  type Record = { readonly name: string; readonly port: number };
  const answer = (records: readonly Record[] | Error): void => {
    const resolve = async (_: string, kind: string) => {
      if (kind !== 'SRV') throw failed('ENODATA');
      if (records instanceof Error) throw records;
      return records;
    };
    asked.mockImplementation(resolve as never);
  };

  test.each([
    ['is not there', failed('ENOTFOUND')],
    ['does not answer', failed('ESERVFAIL')],
    ['names none', []],
  ])('which %s, is of an unknown host', async (_, records) => {
    answer(records);
    expect((await rejection(URL_IN_DNS)).message).toBe('MONGODB_URL: the host is not known');
    expect(asked).toHaveBeenCalledWith('_mongodb._tcp.cluster.db.test', 'SRV');
  });

  test('is refused by the server of them that does not fit', async () => {
    const server = await startHttpsServer(() => undefined);
    const ports = [await freePort(), server.port];
    answer(ports.map(port => ({ name: 'one.db.test', port })));
    const here = ((_: string, { all }: dns.LookupOptions, done: (...found: unknown[]) => void) =>
      all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)) as never;
    jest.spyOn(dns, 'lookup').mockImplementation(here);
    expect((await rejection(URL_IN_DNS)).message).toBe(
      `MONGODB_URL: the server at one.db.test:${server.port} wants TLS: the URL needs tls=true`,
    );
    await server.close();
  });
});
