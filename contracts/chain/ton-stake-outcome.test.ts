import { hasFailed } from './ton-outcome';
import type { TraceMessage } from './ton-trace';
import { USDE_CONTRACTS } from './ton-usde';
import { LIQUID_STAKING_POOLS, NOMINATOR_POOLS } from './ton-verified-contracts';

const address = (digit: string): string => `0:${digit.repeat(64)}`;
const [OWNER, WALLET, OTHER] = ['a', 'b', 'c'].map(address) as [string, string, string];
const [POOL, NOMINATORS] = [LIQUID_STAKING_POOLS.mainnet, NOMINATOR_POOLS.mainnet[0]!];
const { stakedUsde, vault } = USDE_CONTRACTS.mainnet;

interface Step extends Partial<Omit<TraceMessage, 'transaction'>> {
  readonly src: string;
  readonly dest: string;
  /** Default: true. */
  readonly success?: boolean;
}

/** A trace in which each message was caused by the one before it. */
const trace = (...steps: Step[]) => ({
  state: 'complete' as const,
  messages: steps.map(({ success = true, ...step }, at): TraceMessage => ({
    hash: String(at),
    parent: at === 0 ? null : at - 1,
    createdLt: String(at),
    value: '1',
    fwdFee: '0',
    bounced: false,
    op: 1,
    jetton: null,
    ...step,
    transaction: { lt: '1', hash: '', time: 1, success, exitCode: 0, fees: '0', deployed: false },
  })),
});

const transfer = (destination: string) =>
  ({ type: 'transfer', queryId: '0', amount: '1', destination, forwardAmount: '1' }) as const;
const excesses = { type: 'excesses', queryId: '0' } as const;

const ASKED: Step = { src: OWNER, dest: POOL };

it.each<[string, readonly Step[], boolean]>([
  ['is all done', [ASKED, { src: POOL, dest: WALLET }, { src: WALLET, dest: POOL }], false],
  ['is refused by the wallet', [ASKED, { src: POOL, dest: WALLET, success: false }], true],
  [
    'is refused by the pool after the wallet',
    [ASKED, { src: POOL, dest: WALLET }, { src: WALLET, dest: POOL, success: false }],
    true,
  ],
  ['is not wanted by the owner', [ASKED, { src: POOL, dest: OWNER, success: false }], false],
  [
    'leaves coins to who does not want them',
    [ASKED, { src: POOL, dest: OTHER, jetton: excesses, success: false }],
    false,
  ],
  ['causes something elsewhere', [ASKED, { src: WALLET, dest: OTHER, success: false }], false],
  ['is a text that the pool keeps the coins of', [{ ...ASKED, op: 0, success: false }], true],
  [
    'is asked of a stranger',
    [
      { src: OWNER, dest: OTHER },
      { src: OTHER, dest: WALLET, success: false },
    ],
    false,
  ],
])('what a liquid pool is asked, and %s, has failed or not', (_, steps, failed) => {
  expect(hasFailed(trace(...steps))).toBe(failed);
});

it('a text that a nominator pool keeps the coins of has failed, and one to a stranger has not', () => {
  const text = (dest: string) => hasFailed(trace({ src: OWNER, dest, op: 0, success: false }));
  expect(text(NOMINATORS)).toBe(true);
  expect(text(OTHER)).toBe(false);
});

it.each<[string, Step, readonly Step[], boolean]>([
  [
    'a stake that the vault sends back',
    { src: OWNER, dest: WALLET, jetton: transfer(vault) },
    [{ src: vault, dest: OTHER, jetton: transfer(OWNER) }],
    true,
  ],
  [
    'a stake that is answered with shares',
    { src: OWNER, dest: WALLET, jetton: transfer(vault) },
    [
      { src: vault, dest: stakedUsde },
      { src: stakedUsde, dest: OTHER },
    ],
    false,
  ],
  [
    'a claim that the vault pays',
    {
      src: OWNER,
      dest: WALLET,
      staking: { type: 'usde_claim', amount: '1', destination: stakedUsde },
    },
    [
      { src: WALLET, dest: stakedUsde },
      { src: vault, dest: OTHER, jetton: transfer(OWNER) },
    ],
    false,
  ],
  [
    'a claim that the master refuses',
    {
      src: OWNER,
      dest: WALLET,
      staking: { type: 'usde_claim', amount: '1', destination: stakedUsde },
    },
    [{ src: WALLET, dest: stakedUsde, success: false }],
    true,
  ],
  [
    'what the master cannot unstake',
    { src: OWNER, dest: WALLET, jetton: transfer(stakedUsde) },
    [
      { src: WALLET, dest: stakedUsde },
      { src: stakedUsde, dest: WALLET, success: false },
    ],
    true,
  ],
  [
    'a transfer to a stranger who sends it back',
    { src: OWNER, dest: WALLET, jetton: transfer(OTHER) },
    [{ src: OTHER, dest: WALLET, jetton: transfer(OWNER) }],
    false,
  ],
])('of USDe: %s', (_, asked, steps, failed) => {
  expect(hasFailed(trace(asked, ...steps))).toBe(failed);
});
