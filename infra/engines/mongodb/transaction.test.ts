import {
  type BulkWriteResult,
  type ClientSession,
  MongoBulkWriteError,
  MongoClient,
  MongoNetworkError,
  MongoServerSelectionError,
  type TopologyDescription,
} from 'mongodb';
import { inTransaction } from './transaction';

/** Sends nothing: a transaction without operations has no end to send, either. */
const client = new MongoClient('mongodb://unused');
afterAll(() => client.close());

const never = new AbortController().signal;

/** As `bulkWrite` of the driver throws any error. */
const ofBulk = (error: Error) => new MongoBulkWriteError(error, Object.create(null) as BulkWriteResult);

const interrupted = () => new MongoNetworkError('interrupted due to server monitor timeout');

test.each([
  ['an operation', interrupted],
  ['a bulk', () => ofBulk(interrupted())],
])('a connection that the driver closes in the midst of %s does not end a commit', async (_, failure) => {
  const failures = [failure(), failure()];
  const work = jest.fn(async () => {
    const error = failures.shift();
    if (error) throw error;
  });
  await inTransaction(client, work, never);
  expect(work).toHaveBeenCalledTimes(3);
});

test('a bulk that finds no server throws what opens the circuit', async () => {
  const error = new MongoServerSelectionError('none found', {} as TopologyDescription);
  const committed = inTransaction(client, () => Promise.reject(ofBulk(error)), never);
  await expect(committed).rejects.toBe(error);
});

test('work that throws is aborted, and not repeated', async () => {
  let used: ClientSession | undefined;
  const work = jest.fn((session: ClientSession) => {
    used = session;
    return Promise.reject(new TypeError('of the document'));
  });
  await expect(inTransaction(client, work, never)).rejects.toThrow(TypeError);
  expect(work).toHaveBeenCalledTimes(1);
  expect(used!.inTransaction()).toBe(false);
});

test('nothing is committed, nor repeated, for a caller that has given up', async () => {
  const given = new AbortController();
  const commit = jest.fn();
  const work = jest.fn(async (session: ClientSession) => {
    session.commitTransaction = commit;
    given.abort(new Error('given up'));
  });
  await expect(inTransaction(client, work, given.signal)).rejects.toThrow('given up');
  await expect(inTransaction(client, work, given.signal)).rejects.toThrow('given up');
  expect(work).toHaveBeenCalledTimes(1);
  expect(commit).not.toHaveBeenCalled();
});

test('a transaction that always loses to others ends when its caller has given up', async () => {
  const given = new AbortController();
  const work = jest.fn(async () => {
    if (work.mock.calls.length === 5) given.abort(new Error('given up'));
    throw interrupted();
  });
  await expect(inTransaction(client, work, given.signal)).rejects.toThrow('given up');
  expect(work).toHaveBeenCalledTimes(5);
});
