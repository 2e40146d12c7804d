import {
  Address,
  beginCell,
  Cell,
  external,
  ExternalAddress,
  internal,
  storeMessage,
  storeMessageRelaxed,
} from '@ton/core';
import { isExternalMessage } from './ton-external-message';

const to = new Address(0, Buffer.alloc(32, 7));
const message = (...args: Parameters<typeof external>): Buffer =>
  beginCell()
    .store(storeMessage(external(...args)))
    .endCell()
    .toBoc();

/** As many leaves as 2 to the depth, in as many cells as the depth. */
function doubled(depth: number): Cell {
  let cell = beginCell().storeUint(depth, 16).endCell();
  for (let n = 0; n < depth; n++) cell = beginCell().storeRef(cell).storeRef(cell).endCell();
  return cell;
}
/** The libraries of a state as a dictionary of 2^200 entries, in 200 cells. */
function hugeLibraries(): Cell {
  let node = beginCell().storeUint(0, 2).storeUint(0, 4).storeRef(Cell.EMPTY).endCell();
  for (let n = 0; n < 200; n++) node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).endCell();
  return node;
}
const withLibraries = beginCell()
  .storeUint(2, 2)
  .storeUint(0, 2)
  .storeAddress(to)
  .storeCoins(0)
  .storeUint(0b10, 2)
  .storeUint(0, 4)
  .storeUint(1, 1)
  .storeRef(hugeLibraries())
  .storeUint(0, 1)
  .endCell();

it.each<[string, Buffer]>([
  ['to an account', message({ to })],
  ['to the masterchain', message({ to: new Address(-1, Buffer.alloc(32, 7)) })],
  [
    'with a body and a state',
    message({ to, init: { code: doubled(3), data: Cell.EMPTY }, body: doubled(5) }),
  ],
  [
    'with an external source',
    beginCell()
      .storeUint(2, 2)
      .storeAddress(new ExternalAddress(5n, 9))
      .storeAddress(to)
      .storeCoins(7)
      .storeUint(0, 2)
      .endCell()
      .toBoc(),
  ],
])('is a message %s', (_, boc) => {
  expect(isExternalMessage(boc)).toBe(true);
});

it.each<[string, Buffer]>([
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('hello')],
  ['the head of a bag alone', message({ to }).subarray(0, 12)],
  ['a bag with a wrong checksum', Buffer.concat([message({ to }).subarray(0, -1), Buffer.from([0])])],
  ['an empty cell', Cell.EMPTY.toBoc()],
  [
    'an internal message',
    beginCell()
      .store(storeMessageRelaxed(internal({ to, value: 1n })))
      .endCell()
      .toBoc(),
  ],
  ['a message to a workchain that does not exist', message({ to: new Address(3, Buffer.alloc(32, 7)) })],
  ['a message without a receiver', beginCell().storeUint(0b100000, 6).storeCoins(0).endCell().toBoc()],
  ['a body that is a bomb', message({ to, body: doubled(500) })],
  ['a dictionary that is a bomb', withLibraries.toBoc()],
  ['more bytes than the network takes', Buffer.alloc(65_536)],
])('is not: %s', (_, boc) => {
  expect(isExternalMessage(boc)).toBe(false);
});
