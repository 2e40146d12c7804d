import { beginCell, Cell, serializeTuple } from '@ton/core';
import { pino } from 'pino';
import { openGetMethods, type MethodCall } from './get-method-thread';
import { defaultConfig } from '@ton/sandbox/dist/config/defaultConfig';

const base64 = (cell: Cell): string => cell.toBoc().toString('base64');
/** Code without a dispatcher: each call runs it from the start, its number on top of the stack. */
const code = (hex: string): string => base64(beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell());
const call = (hex: string, args: string | null = null): MethodCall => ({
  config: defaultConfig,
  address: `0:${'00'.repeat(32)}`,
  code: code(hex),
  data: base64(Cell.EMPTY),
  balance: 1n,
  extraCurrency: {},
  utime: 1_700_000_000,
  methodId: 1,
  args,
});
const SEVEN = '77';
/** ACCEPT, then AGAIN of an empty continuation. */
const FOR_EVER = 'f80090ea';
/** One, then a pair of the top with itself, 36 times. */
const DOUBLED = `71${'206f02'.repeat(36)}`;

const getMethods = openGetMethods(pino({ level: 'silent' }));
afterAll(() => getMethods.close());

it.each([
  ['code that lifts its limit of gas and never ends', FOR_EVER],
  ['a result that is a tree of 2^36 leaves', DOUBLED],
])('%s ends, and calls beside it are answered', async (_what, hex) => {
  const [before, hostile, after] = await Promise.all([
    getMethods.run(call(SEVEN)),
    getMethods.run(call(hex)),
    getMethods.run(call(SEVEN)),
  ]);
  expect(hostile).toEqual({ exitCode: -256, stack: null, arguments: [], items: [] });
  for (const honest of [before, after])
    expect(honest).toMatchObject({
      exitCode: 0,
      items: [
        { type: 'int', value: '1' },
        { type: 'int', value: '7' },
      ],
    });
});

it('arguments that are a tree of any size end, too', async () => {
  let tuple = serializeTuple([{ type: 'int', value: 1n }]);
  expect(await getMethods.run(call(SEVEN, base64(tuple)))).toMatchObject({
    arguments: [{ type: 'int', value: '1' }],
  });
  // A tuple of two entries, both the one before.
  let entry = beginCell().storeUint(1, 8).storeInt(1n, 64).endCell();
  for (let depth = 0; depth < 36; depth += 1)
    entry = beginCell().storeUint(7, 8).storeUint(2, 16).storeRef(entry).storeRef(entry).endCell();
  tuple = beginCell().storeUint(1, 24).storeRef(Cell.EMPTY).storeSlice(entry.beginParse()).endCell();
  expect(await getMethods.run(call(SEVEN, base64(tuple)))).toMatchObject({ exitCode: -256 });
  expect(await getMethods.run(call(SEVEN))).toMatchObject({ exitCode: 0 });
});

it('arguments that are no tuple are said to be none', async () => {
  expect(await getMethods.run(call(SEVEN, base64(beginCell().storeUint(5, 24).endCell())))).toBeNull();
});
