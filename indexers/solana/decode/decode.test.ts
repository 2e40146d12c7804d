import fc from 'fast-check';
import { encodeBase58 } from '../../../contracts/encoding/base58';
import { enhancedTransaction } from '../../../contracts/chain/solana-transaction';
import { runs } from '../../../test/random';
import { expectExplained } from '../../../test/solana/explained';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  NATIVE_MINT,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  VOTE_PROGRAM,
} from '../programs';
import type { RawInstruction, RawTransaction } from '../raw';
import { decodeTransaction } from './decode';

const PROGRAMS = [
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  STAKE_PROGRAM,
  VOTE_PROGRAM,
  'unknown program',
];
const ACCOUNTS = ['payer', 'A', 'B', 'C', 'D', 'E', NATIVE_MINT];
const MINTS = ['mint', 'other mint', NATIVE_MINT];
const KEYS = [...ACCOUNTS, ...PROGRAMS];
const FEE = 5_000;

interface Balance {
  readonly account: string;
  readonly mint: string;
  readonly before?: bigint | undefined;
  readonly after?: bigint | undefined;
}

const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};

const call = (program: string, accounts: readonly string[], data: Buffer): RawInstruction => ({
  programIdIndex: KEYS.indexOf(program),
  accounts: accounts.map(account => KEYS.indexOf(account)),
  data: encodeBase58(data),
});

/** A transaction of these instructions, which changed the balances so. The changes of lamports add up to less the fee. */
function transaction(
  instructions: readonly RawInstruction[],
  tokens: readonly Balance[] = [],
  lamports: Readonly<Record<string, number>> = {},
): RawTransaction {
  const before = KEYS.map(() => 1_000_000_000);
  const others = Object.values(lamports).reduce((sum, change) => sum + change, 0);
  const after = KEYS.map((key, i) => before[i]! + (lamports[key] ?? 0) - (i === 0 ? FEE + others : 0));
  const balances = (side: 'before' | 'after') =>
    tokens.flatMap(({ account, mint, [side]: amount }) =>
      amount === undefined
        ? []
        : [
            {
              accountIndex: KEYS.indexOf(account),
              mint,
              owner: `owner of ${account}`,
              uiTokenAmount: { amount: amount.toString(), decimals: 2 },
            },
          ],
    );
  return {
    transaction: {
      signatures: ['signature'],
      message: { header: { numRequiredSignatures: 1 }, accountKeys: KEYS, instructions },
    },
    meta: {
      err: null,
      fee: FEE,
      preBalances: before,
      postBalances: after,
      preTokenBalances: balances('before'),
      postTokenBalances: balances('after'),
    },
  };
}

const decode = (raw: RawTransaction) => {
  const decoded = decodeTransaction(raw, 7, 1_700_000_000);
  expect(enhancedTransaction.parse(decoded)).toEqual(decoded);
  expectExplained(raw, decoded);
  return decoded;
};
const shown = (raw: RawTransaction): string[] =>
  decode(raw).tokenTransfers.map(
    ({ kind, fromTokenAccount, toTokenAccount, rawAmount }) =>
      `${kind} ${fromTokenAccount}>${toTokenAccount} ${rawAmount}`,
  );

test('what an unknown program moved is paired: equal amounts first, then in the order of the accounts', () => {
  const unknown = call('unknown program', ['A', 'B', 'C', 'D'], Buffer.of(9));
  const balances: Balance[] = [
    { account: 'A', mint: 'mint', before: 50n, after: 0n },
    { account: 'B', mint: 'mint', before: 20n, after: 0n },
    { account: 'C', mint: 'mint', after: 20n },
    { account: 'D', mint: 'mint', before: 1n, after: 46n },
  ];
  expect(shown(transaction([unknown], balances))).toEqual([
    'transfer B>C 20',
    'transfer A>D 45',
    'unexplained A> 5',
  ]);
  const { nativeTransfers, type } = decode(transaction([unknown], [], { A: -7, B: 3, C: 4 }));
  expect(type).toBe('UNKNOWN');
  expect(nativeTransfers).toEqual([
    { fromUserAccount: 'A', toUserAccount: 'B', amount: 3 },
    { fromUserAccount: 'A', toUserAccount: 'C', amount: 4 },
  ]);
});

test('a fee withheld on the way through an account is not part of what each receiver got', () => {
  const move = (from: string, to: string, amount: bigint): RawInstruction =>
    call(
      TOKEN_2022_PROGRAM,
      [from, 'mint', to, 'payer'].map(key => (key === 'mint' ? 'E' : key)),
      Buffer.concat([Buffer.of(12), u64(amount), Buffer.of(2)]),
    );
  const raw = transaction(
    [move('A', 'B', 5_000n), move('B', 'C', 4_950n)],
    [
      { account: 'A', mint: 'E', before: 9_000n, after: 4_000n },
      { account: 'B', mint: 'E', before: 0n, after: 0n },
      { account: 'C', mint: 'E', before: 0n, after: 4_900n },
    ],
  );
  expect(shown(raw)).toEqual(['transfer A>B 4950', 'fee A> 50', 'transfer B>C 4900', 'fee B> 50']);
});

describe('confidential tokens', () => {
  const balance = (before: bigint, after: bigint): Balance[] => [{ account: 'A', mint: 'E', before, after }];

  test('a deposit and a withdrawal are neither burn nor mint', () => {
    const amount = Buffer.concat([u64(40n), Buffer.of(2)]);
    const deposit = call(TOKEN_2022_PROGRAM, ['A', 'E', 'payer'], Buffer.concat([Buffer.of(27, 5), amount]));
    expect(decode(transaction([deposit], balance(100n, 60n)))).toMatchObject({
      type: 'DEPOSIT',
      description: 'owner of A deposited 0.4 E to a confidential balance.',
      tokenTransfers: [{ kind: 'confidential-deposit', fromTokenAccount: 'A', toUserAccount: 'owner of A' }],
    });
    const withdrawal = call(
      TOKEN_2022_PROGRAM,
      ['A', 'E', 'payer'],
      Buffer.concat([Buffer.of(27, 6), amount]),
    );
    expect(decode(transaction([withdrawal], balance(0n, 40n)))).toMatchObject({
      type: 'WITHDRAW',
      tokenTransfers: [
        { kind: 'confidential-withdrawal', fromUserAccount: 'owner of A', toTokenAccount: 'A' },
      ],
    });
  });

  test('a transfer names sender and receiver, and no amount', () => {
    const transfer = call(
      TOKEN_2022_PROGRAM,
      ['A', 'E', 'B', 'payer'],
      Buffer.concat([Buffer.of(27, 7), Buffer.alloc(40)]),
    );
    const unchanged = [...balance(5n, 5n), { account: 'B', mint: 'E', before: 1n, after: 1n }];
    expect(decode(transaction([transfer], unchanged))).toMatchObject({
      type: 'TRANSFER',
      description: 'owner of A transferred a confidential amount of E to owner of B.',
      tokenTransfers: [
        { kind: 'confidential-transfer', fromTokenAccount: 'A', toTokenAccount: 'B', rawAmount: '0' },
      ],
    });
  });
});

test.each([
  ['is cut off within an instruction', [255, 3, 9, 3, 5]],
  ['wants more accounts than it has', [255, 200, 9, 3, 5, 0, 0, 0, 0, 0, 0, 0]],
  ['contains a batch', [255, 3, 12, 255, 3, 9, 3, 5, 0, 0, 0, 0, 0, 0, 0]],
  ['is empty', [255]],
])('a batch that %s moves what the balances say', (_, data) => {
  const batch = call(TOKEN_PROGRAM, ['A', 'B', 'payer'], Buffer.from(data));
  const balances: Balance[] = [
    { account: 'A', mint: 'mint', before: 9n, after: 4n },
    { account: 'B', mint: 'mint', before: 0n, after: 5n },
  ];
  expect(shown(transaction([batch], balances))).toEqual(['transfer A>B 5']);
});

test('the change of one balance beyond 2^53 follows from the others', () => {
  const raw = transaction(
    [call(SYSTEM_PROGRAM, ['A', 'B'], Buffer.concat([Buffer.of(2, 0, 0, 0), u64(3n)]))],
    [],
    { A: -3, B: 3 },
  );
  const { preBalances, postBalances } = raw.meta!;
  const huge = 2 ** 60;
  const at = (balances: readonly number[]): number[] => balances.with(KEYS.indexOf('A'), huge);
  const meta = { ...raw.meta!, preBalances: at(preBalances), postBalances: at(postBalances) };
  const { accountData, nativeTransfers } = decodeTransaction({ ...raw, meta }, 7, null);
  expect(accountData.find(({ account }) => account === 'A')).toMatchObject({ nativeBalanceChange: -3 });
  expect(nativeTransfers).toEqual([{ fromUserAccount: 'A', toUserAccount: 'B', amount: 3 }]);
});

describe('whatever the instructions say', () => {
  const account = fc.constantFrom(...ACCOUNTS);
  const amounts = fc.oneof(fc.bigInt({ min: 0n, max: 9n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }));
  const tokenData = fc
    .tuple(
      fc.constantFrom(1, 3, 7, 8, 9, 12, 14, 15, 16, 17, 18, 38, 45),
      amounts,
      fc.uint8Array({ maxLength: 40 }),
    )
    .map(([tag, amount, rest]) => Buffer.concat([Buffer.of(tag), u64(amount), rest]));
  const extensionData = fc
    .tuple(fc.constantFrom(26, 27, 45), fc.nat(15), amounts, amounts)
    .map(([tag, sub, amount, fee]) =>
      Buffer.concat([Buffer.of(tag, sub), u64(amount), Buffer.of(2), u64(fee)]),
    );
  const batchData = fc
    .array(fc.tuple(fc.nat(4), tokenData), { maxLength: 3 })
    .map(each =>
      Buffer.concat([
        Buffer.of(255),
        ...each.flatMap(([count, data]) => [Buffer.of(count, data.length), data]),
      ]),
    );
  const bincodeData = fc
    .tuple(fc.nat(20), amounts, fc.uint8Array({ maxLength: 60 }))
    .map(([tag, amount, rest]) => Buffer.concat([Buffer.of(tag, 0, 0, 0), u64(amount), rest]));
  const anyData = fc.oneof(
    tokenData,
    extensionData,
    batchData,
    bincodeData,
    fc.uint8Array({ maxLength: 60 }).map(bytes => Buffer.from(bytes)),
  );
  const instruction = fc
    .tuple(fc.constantFrom(...PROGRAMS), fc.array(account, { maxLength: 6 }), anyData)
    .map(([program, accounts, data]) => call(program, accounts, data));
  const balance = fc.record({
    account: fc.constantFrom('A', 'B', 'C', 'D'),
    mint: fc.constantFrom(...MINTS),
    before: fc.option(amounts, { nil: undefined }),
    after: fc.option(amounts, { nil: undefined }),
  });
  /** The node lists the balance of every token account, also where nothing changed. */
  const unchanged = ACCOUNTS.map(account => ({ account, mint: 'listed', before: 1n, after: 1n }));
  const balances = fc
    .uniqueArray(balance, { maxLength: 5, selector: ({ account, mint }) => `${account} ${mint}` })
    .map(changed => [...unchanged, ...changed]);
  const lamports = fc.dictionary(fc.constantFrom(...KEYS.slice(1)), fc.integer({ min: -1_000, max: 1_000 }), {
    maxKeys: 6,
  });
  const anyTransaction = fc
    .tuple(fc.array(instruction, { maxLength: 6 }), balances, lamports)
    .map(parts => transaction(...parts));

  test('the transfers of each account add up to the change of its balances', () => {
    fc.assert(
      fc.property(anyTransaction, raw => {
        decode(raw);
      }),
      runs(250),
    );
  });

  test('what a hostile node sends is refused, or decoded to what wallets can read', () => {
    const junk = fc.oneof(
      fc.constantFrom(null, undefined, NaN, -1, 2 ** 70, 1.5, '', '-', 'length', 'toString', {}, []),
      fc.anything(),
    );
    fc.assert(
      fc.property(anyTransaction, fc.infiniteStream(fc.nat(1_000)), junk, (raw, random, value) => {
        const corrupted = structuredClone(raw) as unknown as Record<string, unknown>;
        let node = corrupted;
        for (;;) {
          const fields = Object.keys(node);
          const field = fields[random.next().value! % Math.max(fields.length, 1)];
          if (field === undefined) break;
          const child = node[field];
          if (typeof child === 'object' && child !== null && random.next().value! % 4 > 0) {
            node = child as Record<string, unknown>;
            continue;
          }
          node[field] = value;
          break;
        }
        let decoded;
        try {
          decoded = decodeTransaction(corrupted as unknown as RawTransaction, 7, null);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          return;
        }
        enhancedTransaction.parse(JSON.parse(JSON.stringify(decoded)));
      }),
      runs(250),
    );
  });
});
