import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { CannotOpen } from '../../../config/cannot-open';
import { createLocalWakeUps } from '../../wake-ups/local';
import { connect } from './connect';
import { openMongoDocuments } from './mongodb-documents';

const rejection = async (url: string): Promise<CannotOpen> => {
  const error: unknown = await openMongoDocuments({ url, wakeUps: createLocalWakeUps() }).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CannotOpen);
  expect(String(error)).not.toContain('s3cret');
  return error as CannotOpen;
};

test.each(['', 'x', 'http://a:s3cret@b', 'mongodb://a:s3cret@', 'mongodb://a:s3cret@h/?nonsense=1'])(
  'a URL of another scheme is rejected: %j',
  async url => {
    expect((await rejection(url)).message).toMatch(/^MONGODB_URL: not a URL of MongoDB/);
  },
);

// The client looks for a server for three seconds each time.
test.concurrent('a port where nothing listens is reported as such', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
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
  const opened = connect(`mongodb://127.0.0.1:${port}/`, () => Promise.resolve(), 1);
  await expect(opened).rejects.toThrow('MONGODB_URL: no writable server answered in time');
  server.close();
});
