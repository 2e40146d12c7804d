import fc from 'fast-check';
import { TOKEN_2022 } from '../../../infra/devnet/solana/svm/programs';
import { createEngine } from '../../../infra/devnet/solana/svm/engine';
import { runs } from '../../../test/random';
import { TOKEN_2022_PROGRAM } from '../programs';
import { readMint } from './mint';
import { uiAmount } from './ui-amount';

/** Compared with the program itself, which runs in the virtual machine. */

const engine = createEngine(432_000);
const MINT = 'So11111111111111111111111111111111111111112';

interface Given {
  readonly decimals: number;
  readonly extension: readonly [type: number, config: Buffer] | null;
  readonly amount: bigint;
  readonly unixTime: number;
}

function mintOf({ decimals, extension }: Given): Buffer {
  const data = Buffer.alloc(extension ? 170 + extension[1].length : 82);
  data.writeBigUInt64LE(1n, 36);
  data[44] = decimals;
  data[45] = 1;
  if (!extension) return data;
  const [type, config] = extension;
  data[165] = 1;
  data.writeUInt16LE(type, 166);
  data.writeUInt16LE(config.length, 168);
  config.copy(data, 170);
  return data;
}

function shown(given: Given): { readonly byProgram: string | null; readonly byUs: string | null } {
  const data = mintOf(given);
  engine.enterSlot(1, given.unixTime, []);
  engine.setAccount(MINT, { lamports: 10n ** 9n, owner: TOKEN_2022.bytes, executable: false, data });
  const mint = readMint({ owner: TOKEN_2022_PROGRAM, data })!;
  return {
    byProgram: engine.uiAmount(MINT, given.amount),
    byUs: uiAmount(mint, given.amount, BigInt(given.unixTime)),
  };
}

const scaled = (multiplier: number, effective: number, next: number): Given['extension'] => {
  const config = Buffer.alloc(56);
  config.writeDoubleLE(multiplier, 32);
  config.writeBigInt64LE(BigInt(effective), 40);
  config.writeDoubleLE(next, 48);
  return [25, config];
};

const interest = (since: number, before: number, changed: number, rate: number): Given['extension'] => {
  const config = Buffer.alloc(52);
  config.writeBigInt64LE(BigInt(since), 32);
  config.writeInt16LE(before, 40);
  config.writeBigInt64LE(BigInt(changed), 42);
  config.writeInt16LE(rate, 50);
  return [10, config];
};

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const amounts = fc.oneof(u64, fc.bigInt({ min: 0n, max: 10_000_000_000n }));
const decimals = fc.oneof({ weight: 4, arbitrary: fc.nat(19) }, fc.nat(255));
const times = fc.nat(4_000_000_000);
const multipliers = fc.oneof(
  fc.double({ min: 1e-12, max: 1e12, noNaN: true }),
  fc.integer({ min: 1, max: 4_000 }).map(quarters => quarters / 4),
);
const rates = fc.integer({ min: -32_768, max: 32_767 });

const scaledMints = fc
  .tuple(multipliers, times, multipliers, fc.oneof(times, fc.integer({ min: -1, max: 1 })))
  .map(([multiplier, effective, next, time]) => ({
    extension: scaled(multiplier, effective, next),
    unixTime: time <= 1 ? Math.max(0, effective + time) : time,
  }));
const interestMints = fc
  .tuple(times, rates, fc.nat(300_000_000), rates, fc.nat(300_000_000))
  .map(([since, before, changed, rate, now]) => ({
    extension: interest(since, before, since + changed, rate),
    unixTime: since + changed + now,
  }));
const plainMints = times.map(unixTime => ({ extension: null, unixTime }));

test.each([
  ['has a multiplier, and a next one', scaledMints],
  ['bears interest', interestMints],
  ['is plain', plainMints],
] as const)('an amount is what the program shows when the mint %s', (_, mints) => {
  fc.assert(
    fc.property(mints, decimals, amounts, (mint, places, amount) => {
      const { byProgram, byUs } = shown({ ...mint, decimals: places, amount });
      expect(byProgram).not.toBeNull();
      // Beyond what a double holds the program shows no number.
      expect(byUs).toBe(byProgram === 'inf' || byProgram === 'NaN' ? null : byProgram);
    }),
    runs(400),
  );
});

test.each([
  ['100 tokens at 2.5', 6, scaled(2.5, 0, 2.5), 100_000_000n, 1, '250'],
  ['before the next multiplier', 2, scaled(2, 2_000, 3), 150n, 1_999, '3'],
  ['from its time on', 2, scaled(2, 2_000, 3), 150n, 2_000, '4.5'],
  ['a part of the smallest unit is cut', 1, scaled(0.9, 0, 0.9), 1n, 1, '0'],
  ['a year at 5 percent', 6, interest(0, 500, 0, 500), 100_000_000n, 31_556_736, '105.12711'],
  ['all digits of a double', 0, scaled(1.1, 0, 1.1), 2n ** 64n - 1n, 1, '20291418481080508416'],
  ['beyond a double', 6, scaled(1.7e308, 0, 1.7e308), 2n ** 64n - 1n, 1, null],
] as const)('%s', (_, places, extension, amount, unixTime, expected) => {
  const { byProgram, byUs } = shown({ decimals: places, extension, amount, unixTime });
  expect(byUs).toBe(expected);
  expect(byProgram).toBe(expected ?? 'inf');
});
