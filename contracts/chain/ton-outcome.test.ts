import { Address, beginCell, Cell, contractAddress, Dictionary, toNano, type Message } from '@ton/core';
import { Blockchain, SmartContract } from '@ton/sandbox';
import fc from 'fast-check';
import { decodeTransaction } from '../../indexers/ton/decode/decode';
import { runs } from '../../test/random';
import { finalStatus } from './ton-outcome';

const SENDER = Address.parseRaw(`0:${'5e'.repeat(32)}`);
const NOBODY = Address.parseRaw(`0:${'0b'.repeat(32)}`);
const CURRENCY = 100;

const code = (hex: string): Cell => beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell();

const CODES = {
  accepts: Cell.EMPTY,
  // THROW 42
  throws: code('f22a'),
  // an empty continuation, AGAIN
  'never ends': code('90ea'),
  // 2^90 nanotons, mode 0, RAWRESERVE
  'fails to act': code('835970fb02'),
  // the same with mode 16
  'fails to act and returns': code('83598010fb02'),
} as const;

const initOf = (receiver: keyof typeof CODES) => ({ code: CODES[receiver], data: Cell.EMPTY });

const scenario = fc.record({
  receiver: fc.constantFrom<'nobody' | keyof typeof CODES>(
    'nobody',
    ...(Object.keys(CODES) as (keyof typeof CODES)[]),
  ),
  /** Otherwise the message brings the code. */
  isDeployed: fc.boolean(),
  balance: fc.constantFrom(0n, toNano('0.001'), toNano(5)),
  coins: fc.oneof(
    fc.constantFrom(0n, 1n, 1_000n, toNano('0.0003'), toNano('0.001'), toNano(1)),
    fc.bigInt(0n, toNano('0.002')),
  ),
  currency: fc.constantFrom(0n, 0n, 900n),
  bounce: fc.boolean(),
  bounced: fc.boolean(),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer S> ? S : never;

const messageTo = (dest: Address, { coins, currency, bounce, bounced }: Scenario): Message['info'] => {
  const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
  if (currency > 0n) other.set(CURRENCY, currency);
  return {
    type: 'internal',
    ihrDisabled: true,
    bounce: bounce && !bounced,
    bounced,
    src: SENDER,
    dest,
    value: { coins, ...(currency > 0n && { other }) },
    ihrFee: 0n,
    forwardFee: 0n,
    createdLt: 1n,
    createdAt: 1,
  };
};

let chain: Blockchain;
beforeAll(async () => {
  chain = await Blockchain.create();
});

/** The status of a transaction by what it says, and whether its account kept what it brought, by the balances. */
async function receive(it: Scenario): Promise<{ status: string; isKept: boolean }> {
  const { receiver, isDeployed, balance, coins, currency } = it;
  const init = receiver === 'nobody' ? null : initOf(receiver);
  const address = init ? contractAddress(0, init) : NOBODY;
  const account =
    init && isDeployed
      ? SmartContract.create(chain, { address, ...init, balance })
      : SmartContract.empty(chain, address);
  const before = account.balance;
  const info = messageTo(address, it);
  const tx = await account.receiveMessage({ info, body: Cell.EMPTY, ...(init && !isDeployed && { init }) });
  const isKept =
    account.balance - before === coins - tx.totalFees.coins && (account.ec[CURRENCY] ?? 0n) === currency;
  const decoded = decodeTransaction(address.toRawString(), Cell.fromBoc(tx.raw.toBoc())[0]!);
  expect(decoded.direction).toBe('in');
  return { status: finalStatus(decoded, null), isKept };
}

const KEPT: Scenario = {
  receiver: 'nobody',
  isDeployed: false,
  balance: 0n,
  coins: toNano(1),
  currency: 0n,
  bounce: true,
  bounced: false,
};

it('an incoming transaction has failed exactly when its account did not keep the value', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(scenario, async it => {
      const { status, isKept } = await receive(it);
      seen.add(status);
      expect(status).toBe(isKept ? 'success' : 'failed');
    }),
    // Few of the random ones fail.
    { ...runs(60), examples: [[KEPT]] },
  );
  expect(seen).toEqual(new Set(['success', 'failed']));
});

it.each<[string, Partial<Scenario>, 'success' | 'failed']>([
  ['a bounceable payment to an account without code', {}, 'failed'],
  ['a payment to an account without code', { bounce: false }, 'success'],
  ['what came back', { bounced: true }, 'success'],
  ['bounceable dust', { coins: 1_000n }, 'success'],
  ['an extra currency without coins', { coins: 0n, currency: 900n }, 'success'],
  ['an extra currency with coins to an account without code', { currency: 900n }, 'failed'],
  ['a call with too little gas', { receiver: 'accepts', isDeployed: true, coins: 1_000n }, 'success'],
  ['a call that throws', { receiver: 'throws', isDeployed: true }, 'failed'],
  [
    'a call that throws and does not bounce',
    { receiver: 'throws', isDeployed: true, bounce: false },
    'success',
  ],
  ['a call that fails to act', { receiver: 'fails to act', isDeployed: true }, 'success'],
  [
    'a call that fails to act and returns',
    { receiver: 'fails to act and returns', isDeployed: true },
    'failed',
  ],
])('%s', async (_what, changes, status) => {
  expect(await receive({ ...KEPT, ...changes })).toEqual({ status, isKept: status === 'success' });
});
