import { RpcError, type RpcCall } from '../../../contracts/ports/solana-client';
import { HttpError } from '../../../indexers/http-response';
import { createBatches, MAX_BATCH } from './batches';
import { BatchRefused } from './json-rpc';

const calls = (count: number): RpcCall[] =>
  Array.from({ length: count }, (_, n) => ({ method: 'double', params: [n] }));
const doubled = (count: number) => Array.from({ length: count }, (_, n) => ({ result: 2 * n }));

/** A double of a node that fails a batch with what `fault` returns; and the sizes of the batches that it got. */
function node(fault: (size: number) => Error | null) {
  const sizes: number[] = [];
  const double = ({ params }: RpcCall): number => 2 * (params[0] as number);
  const send = createBatches(
    async call => {
      sizes.push(1);
      return double(call);
    },
    async batch => {
      sizes.push(batch.length);
      const error = fault(batch.length);
      if (error) throw error;
      return batch.map(call => ({ result: double(call) }));
    },
  );
  return { send, sizes };
}

test('calls go out in as few batches as are allowed', async () => {
  const { send, sizes } = node(() => null);
  expect(await send(calls(2 * MAX_BATCH + 1))).toEqual(doubled(2 * MAX_BATCH + 1));
  expect(sizes).toEqual([MAX_BATCH, MAX_BATCH, 1]);
});

test.each([
  ['as a batch', new BatchRefused('batch too large')],
  ['by its size', new HttpError(413)],
  ['by status', new HttpError(403)],
])('a size that is refused %s is halved, and not tried again', async (_, refusal) => {
  const { send, sizes } = node(size => (size > 30 ? refusal : null));
  expect(await send(calls(60))).toEqual(doubled(60));
  expect(sizes).toEqual([60, 30, 30]);
  await send(calls(60));
  expect(sizes.slice(3)).toEqual([30, 30]);
});

test('a node that refuses all batches gets single calls', async () => {
  const { send, sizes } = node(() => new BatchRefused('no batches'));
  expect(await send(calls(9))).toEqual(doubled(9));
  expect(sizes).toEqual([9, 4, 2, ...Array<number>(9).fill(1)]);
});

test('a batch that takes too long is an error, and smaller the next time, but not for good', async () => {
  let isSlow = true;
  const timeout = Object.assign(new Error('took too long'), { name: 'TimeoutError' });
  const { send, sizes } = node(() => (isSlow ? timeout : null));
  await expect(send(calls(40))).rejects.toThrow('took too long');
  isSlow = false;
  await send(calls(40));
  expect(sizes).toEqual([40, 20, 20]);
  await send(calls(44));
  expect(sizes.slice(3)).toEqual([22, 22]);
});

test('an overloaded node is an error: the batch is not what it refuses', async () => {
  const { send, sizes } = node(() => new HttpError(429, 1_000));
  await expect(send(calls(10))).rejects.toThrow('HTTP 429');
  expect(sizes).toEqual([10]);
});

test('of single calls, what the node answers with is an outcome, and that it does not answer an error', async () => {
  const refused = new RpcError(-32601, 'Method not found');
  const none = async (): Promise<never> => Promise.reject(new Error('unused'));
  expect(await createBatches(() => Promise.reject(refused), none)(calls(1))).toEqual([{ error: refused }]);
  await expect(createBatches(() => Promise.reject(new Error('no answer')), none)(calls(1))).rejects.toThrow(
    'no answer',
  );
});
