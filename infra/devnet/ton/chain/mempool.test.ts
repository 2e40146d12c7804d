import { beginCell } from '@ton/core';
import type { Receipt } from './execution';
import { type Mempool, Unavailable, createMempool } from './mempool';
import type { Inbound } from './messages';

const message = (number: number): Inbound => ({
  cell: beginCell().storeUint(number, 32).endCell(),
  destination: `0:${'00'.repeat(32)}`,
});
const refused: Receipt = { included: false, reason: 'test' };

let clock = 0;
let mempool: Mempool;
beforeEach(() => {
  clock = 100;
  mempool = createMempool(2, () => clock);
});

it('returns messages in order of arrival, and their receipts', async () => {
  const receipts = [mempool.add(message(1)), mempool.add(message(2))];
  expect(mempool.oldest).toBe(100);
  const first = mempool.take()!;
  expect(first.cell.equals(message(1).cell)).toBe(true);
  first.resolve(refused);
  mempool.take()!.resolve(refused);
  expect(await Promise.all(receipts)).toEqual([refused, refused]);
  expect([mempool.take(), mempool.oldest]).toEqual([undefined, null]);
});

it('accepts a message once until it has a receipt', async () => {
  const receipts = [mempool.add(message(1)), mempool.add(message(1))];
  mempool.take()!.resolve(refused);
  expect(mempool.take()).toBeUndefined();
  expect(await Promise.all(receipts)).toEqual([refused, refused]);
  void mempool.add(message(1));
  expect(mempool.take()).toBeDefined();
});

it('rejects messages beyond its limit', async () => {
  void mempool.add(message(1));
  void mempool.add(message(2));
  await expect(mempool.add(message(3))).rejects.toThrow(Unavailable);
});

it('restores taken messages in front', () => {
  void mempool.add(message(1));
  void mempool.add(message(2));
  const taken = [mempool.take()!];
  mempool.restore(taken);
  expect(mempool.take()).toBe(taken[0]);
});

it('rejects all messages when it closes', async () => {
  const waiting = mempool.add(message(1));
  mempool.close();
  await expect(waiting).rejects.toThrow('stopping');
  await expect(mempool.add(message(2))).rejects.toThrow('stopping');
});
