import {
  type BulkWriteResult,
  type ClientSession,
  MongoBulkWriteError,
  type MongoClient,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  type TopologyDescription,
} from 'mongodb';
import { inTransaction } from './transaction';

/** A client whose transactions end as the test says. */
const clientOf = (commit: () => Promise<void>) => {
  const counts = { started: 0, aborted: 0 };
  let active = false;
  const session = {
    startTransaction: () => {
      active = true;
      counts.started++;
    },
    inTransaction: () => active,
    abortTransaction: async () => {
      active = false;
      counts.aborted++;
    },
    commitTransaction: () => {
      active = false;
      return commit();
    },
  } as unknown as ClientSession;
  const client = { withSession: (run: (of: ClientSession) => Promise<unknown>) => run(session) };
  return { client: client as unknown as MongoClient, counts };
};

const failed = (label: string): MongoServerError => {
  const error = new MongoServerError({ message: label });
  error.addErrorLabel(label);
  return error;
};

const nothing = async (): Promise<void> => undefined;

test.each(['TransientTransactionError', 'UnknownTransactionCommitResult'])(
  'a transaction whose end always fails with %s is repeated until the signal',
  async label => {
    const given = new AbortController();
    let ends = 0;
    const { client } = clientOf(async () => {
      if (++ends === 5) given.abort();
      throw failed(label);
    });
    await expect(inTransaction(client, nothing, given.signal)).rejects.toThrow(label);
    expect(ends).toBe(5);
  },
);

test('a transaction is repeated after it lost to another one, and its end alone while its outcome is unknown', async () => {
  const errors = ['TransientTransactionError', 'UnknownTransactionCommitResult'];
  const { client, counts } = clientOf(async () => {
    const label = errors.shift();
    if (label) throw failed(label);
  });
  await inTransaction(client, nothing, new AbortController().signal);
  expect(counts).toEqual({ started: 2, aborted: 0 });
});

test('a connection that the driver closes in the midst does not end a commit', async () => {
  const interrupted = () => new MongoNetworkError('interrupted due to server monitor timeout');
  const [ofWork, ofCommit] = [[interrupted()], [interrupted()]];
  const { client, counts } = clientOf(async () => {
    const error = ofCommit.shift();
    if (error) throw error;
  });
  const work = async () => {
    const error = ofWork.shift();
    if (error) throw error;
  };
  await inTransaction(client, work, new AbortController().signal);
  expect(counts).toEqual({ started: 2, aborted: 1 });
});

/** As `bulkWrite` of the driver throws any error. */
const ofBulk = (error: Error) => new MongoBulkWriteError(error, Object.create(null) as BulkWriteResult);

test('a connection that the driver closes in the midst of a bulk does not end a commit', async () => {
  const errors = [ofBulk(new MongoNetworkError('interrupted due to server monitor timeout'))];
  const { client, counts } = clientOf(nothing);
  const work = async () => {
    const error = errors.shift();
    if (error) throw error;
  };
  await inTransaction(client, work, new AbortController().signal);
  expect(counts).toEqual({ started: 2, aborted: 1 });
});

test('a bulk that finds no server throws what opens the circuit', async () => {
  const error = new MongoServerSelectionError('none found', {} as TopologyDescription);
  const { client } = clientOf(nothing);
  const committed = inTransaction(client, () => Promise.reject(ofBulk(error)), new AbortController().signal);
  await expect(committed).rejects.toBe(error);
});

test('work that throws is aborted, and not repeated', async () => {
  const { client, counts } = clientOf(nothing);
  const work = () => Promise.reject(new TypeError('of the document'));
  await expect(inTransaction(client, work, new AbortController().signal)).rejects.toThrow(TypeError);
  expect(counts).toEqual({ started: 1, aborted: 1 });
});

test('nothing is committed for a caller that has given up', async () => {
  const given = new AbortController();
  const { client, counts } = clientOf(() => Promise.reject(new Error('committed')));
  const work = async () => given.abort(new Error('given up'));
  await expect(inTransaction(client, work, given.signal)).rejects.toThrow('given up');
  expect(counts).toEqual({ started: 1, aborted: 1 });
});
