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

it('hands messages out in the order they came, and their receipts back', async () => {
  const receipts = [mempool.add(message(1)), mempool.add(message(2))];
  expect(mempool.oldest).toBe(100);
  const first = mempool.take()!;
  expect(first.cell.equals(message(1).cell)).toBe(true);
  first.settle(refused);
  mempool.take()!.settle(refused);
  expect(await Promise.all(receipts)).toEqual([refused, refused]);
  expect([mempool.take(), mempool.oldest]).toEqual([undefined, null]);
});

it('takes the same message once until its fate is known', async () => {
  const receipts = [mempool.add(message(1)), mempool.add(message(1))];
  mempool.take()!.settle(refused);
  expect(mempool.take()).toBeUndefined();
  expect(await Promise.all(receipts)).toEqual([refused, refused]);
  void mempool.add(message(1));
  expect(mempool.take()).toBeDefined();
});

it('has room for so many and turns the next away', async () => {
  void mempool.add(message(1));
  void mempool.add(message(2));
  await expect(mempool.add(message(3))).rejects.toThrow(Unavailable);
});

it('puts back in front what could not be stored', () => {
  void mempool.add(message(1));
  void mempool.add(message(2));
  const taken = [mempool.take()!];
  mempool.restore(taken);
  expect(mempool.take()).toBe(taken[0]);
});

it('turns everybody away when it closes', async () => {
  const waiting = mempool.add(message(1));
  mempool.close();
  await expect(waiting).rejects.toThrow('stopping');
  await expect(mempool.add(message(2))).rejects.toThrow('stopping');
});
