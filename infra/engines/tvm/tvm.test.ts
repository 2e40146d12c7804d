import { Address, beginCell, Cell, external, storeMessage, storeShardAccount, toNano } from '@ton/core';
import { defaultConfig } from '@ton/sandbox';
import { Executor } from '@ton/sandbox/dist/executor/Executor';
import { openTvm, type GetMethodCall, type TransactionCall } from './tvm';

jest.setTimeout(120_000);
afterEach(() => jest.restoreAllMocks());

const address = Address.parseRaw(`0:${'11'.repeat(32)}`);
const code = (hex: string): Cell => beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell();

/** Accepts every message: `ACCEPT`. */
const shardAccount = beginCell()
  .store(
    storeShardAccount({
      account: {
        addr: address,
        storage: {
          lastTransLt: 0n,
          balance: { coins: toNano(1) },
          state: { type: 'active', state: { code: code('F800'), data: Cell.EMPTY } },
        },
        storageStats: {
          used: { cells: 3n, bits: 300n },
          storageExtra: null,
          lastPaid: 1_800_000_000,
          duePayment: null,
        },
      },
      lastTransactionHash: 0n,
      lastTransactionLt: 0n,
    }),
  )
  .endCell()
  .toBoc()
  .toString('base64');

const transaction: TransactionCall = {
  config: defaultConfig,
  shardAccount,
  message: beginCell()
    .store(storeMessage(external({ to: address })))
    .endCell(),
  utime: 1_800_000_000,
  lt: 0n,
  seed: Buffer.alloc(32),
};

const getMethod = (hex: string): GetMethodCall => ({
  config: defaultConfig,
  address,
  code: code(hex),
  data: Cell.EMPTY,
  balance: 0n,
  extraCurrency: {},
  utime: 1_800_000_000,
  methodId: 5,
  stack: [],
});

test.each([
  ['a value', 'C8C9', 0],
  ['nothing left on the stack: DROP, DROP', '3030', 2],
  ['a number too large: 1, 255 LSHIFT#, 2 MULCONST', '71AAFEA702', 4],
  ['more bits than a cell has: NEWC, ENDC, CTOS, 8 LDU', 'C8C9D0D307', 9],
  ['an exception of its own: 42 THROW', 'F22A', 42],
])('%s ends as in the machine of the package', async (_what, hex, exitCode) => {
  const trapped = jest.fn();
  const outcome = await (await openTvm(trapped)).runGetMethod(getMethod(hex));
  expect(outcome.exitCode).toBe(exitCode);
  expect(trapped).not.toHaveBeenCalled();
  const { output } = await (
    await Executor.create()
  ).runGetMethod({
    ...getMethod(hex),
    verbosity: 'short',
    unixTime: 1_800_000_000,
    randomSeed: Buffer.alloc(32),
    gasLimit: 1_000_000n,
    debugEnabled: false,
  });
  expect(output).toMatchObject({ vm_exit_code: exitCode, ...(outcome.stack && { stack: outcome.stack }) });
});

it('replaces a machine that an exception has left, and the next transaction is right', async () => {
  const machines = jest.spyOn(Executor.prototype, 'runTransaction');
  const trapped = jest.fn();
  const tvm = await openTvm(trapped);
  const before = await tvm.transact(transaction);
  expect(before).toMatchObject({ done: true });
  const noParameters = new Cell().toBoc().toString('base64');
  expect(await tvm.transact({ ...transaction, config: noParameters })).toMatchObject({ done: false });
  expect(trapped).toHaveBeenCalledTimes(1);
  expect(await tvm.transact(transaction)).toEqual(before);
  const [first, second, third] = machines.mock.contexts;
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});
