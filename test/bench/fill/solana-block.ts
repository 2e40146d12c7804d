import { PublicKey } from '@solana/web3.js';
import { base58 } from '../../../infra/devnet/solana/svm/base58';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  VOTE_PROGRAM,
} from '../../../indexers/solana/programs';
import { createPseudoRandom, type PseudoRandom } from './pseudo-random';

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const EXCHANGE = 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc';

/** Shares of a block of mainnet, in transactions of six hundred. */
const VOTES = 158;
const FAILED = 305;
const TOKEN_TRANSFERS = 70;
const SWAPS = 49;
const TRANSFERS = 20;

interface TokenAccount {
  readonly address: string;
  readonly owner: string;
  readonly mint: string;
}
interface Instruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
  readonly stackHeight: number | null;
}

const amountData = (op: number, amount: number, decimals: number): string => {
  const bytes = Buffer.alloc(10);
  bytes.writeUInt8(op);
  bytes.writeBigUInt64LE(BigInt(amount), 1);
  bytes.writeUInt8(decimals, 9);
  return base58(bytes);
};

/** Parts of transactions in the form of `getBlock` with encoding `json`, generated from a seed. */
function createParts({ below, bytes }: PseudoRandom) {
  const key = (): string => new PublicKey(bytes(32)).toBase58();
  const signature = (): string => base58(bytes(64));
  const mints = Array.from({ length: 12 }, key);
  const tokenAccount = (): TokenAccount => ({
    address: key(),
    owner: key(),
    mint: mints[below(mints.length)]!,
  });

  const balancesOf = (keys: readonly string[], accounts: readonly TokenAccount[], amount: number) =>
    accounts.map(({ address, owner, mint }) => ({
      accountIndex: keys.indexOf(address),
      mint,
      owner,
      programId: TOKEN_PROGRAM,
      uiTokenAmount: {
        amount: String(amount),
        decimals: 6,
        uiAmount: amount / 1e6,
        uiAmountString: String(amount / 1e6),
      },
    }));

  function transaction(given: {
    readonly keys: readonly string[];
    readonly instructions: readonly Instruction[];
    readonly inner?: readonly Instruction[];
    readonly tokens?: readonly TokenAccount[];
    readonly logs: readonly string[];
    readonly loaded?: readonly string[];
    readonly error?: unknown;
  }): object {
    const { keys, instructions, inner = [], tokens = [], logs, loaded = [], error = null } = given;
    const before = [...keys, ...loaded].map(() => 1_000_000 + below(5_000_000_000));
    const changed = error === null ? 3 : 1;
    return {
      meta: {
        computeUnitsConsumed: below(200_000),
        err: error,
        fee: 5_000 + below(20_000),
        innerInstructions: inner.length > 0 ? [{ index: instructions.length - 1, instructions: inner }] : [],
        loadedAddresses: { readonly: loaded.slice(4), writable: loaded.slice(0, 4) },
        logMessages: logs,
        postBalances: before.map((lamports, i) => (i < changed ? lamports - 5_000 : lamports)),
        postTokenBalances: balancesOf(keys, tokens, 5_000_000 + below(1e9)),
        preBalances: before,
        preTokenBalances: balancesOf(keys, tokens, 1_000_000 + below(1e9)),
        rewards: null,
        status: error === null ? { Ok: null } : { Err: error },
      },
      transaction: {
        message: {
          accountKeys: keys,
          header: { numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 4, numRequiredSignatures: 1 },
          instructions,
          recentBlockhash: key(),
          ...(loaded.length > 0 && {
            addressTableLookups: [{ accountKey: key(), readonlyIndexes: [1, 2], writableIndexes: [3, 4] }],
          }),
        },
        signatures: [signature()],
      },
      version: loaded.length > 0 ? 0 : 'legacy',
    };
  }
  return { below, bytes, key, tokenAccount, transaction };
}
type Parts = ReturnType<typeof createParts>;

const logsOf = (programs: readonly string[], lines: number): string[] =>
  programs.flatMap((program, i) => [
    `Program ${program} invoke [${i === 0 ? 1 : 2}]`,
    ...Array.from(
      { length: lines },
      (_, n) => `Program log: Instruction ${n}: transferred to the vault of the pool`,
    ),
    `Program ${program} consumed ${4_645 + i} of 200000 compute units`,
    `Program ${program} success`,
  ]);

const call = (programIdIndex: number, accounts: readonly number[], data: string, depth = 1): Instruction => ({
  programIdIndex,
  accounts,
  data,
  stackHeight: depth,
});

/** The tag of `VoteInstruction::TowerSync`. */
const TOWER_SYNC = Buffer.of(14, 0, 0, 0);

function vote({ key, bytes, transaction }: Parts): object {
  return transaction({
    keys: [key(), key(), VOTE_PROGRAM],
    instructions: [call(2, [1, 0], base58(Buffer.concat([TOWER_SYNC, bytes(144)])))],
    logs: logsOf([VOTE_PROGRAM], 0),
  });
}

function transfer({ key, below, transaction }: Parts): object {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2);
  data.writeBigUInt64LE(BigInt(below(1e9)), 4);
  return transaction({
    keys: [key(), key(), SYSTEM_PROGRAM, COMPUTE_BUDGET],
    instructions: [call(3, [], '3gJqkocMWaMm'), call(2, [0, 1], base58(data))],
    logs: logsOf([COMPUTE_BUDGET, SYSTEM_PROGRAM], 0),
  });
}

function tokenTransfer({ below, tokenAccount, transaction }: Parts): object {
  const from = tokenAccount();
  const to = { ...tokenAccount(), mint: from.mint };
  const keys = [
    from.owner,
    from.address,
    to.address,
    from.mint,
    TOKEN_PROGRAM,
    COMPUTE_BUDGET,
    SYSTEM_PROGRAM,
  ];
  return transaction({
    keys: [...keys, ASSOCIATED_TOKEN_PROGRAM, to.owner],
    instructions: [call(5, [], '3gJqkocMWaMm'), call(4, [1, 3, 2, 0], amountData(12, below(1e9), 6))],
    tokens: [from, to],
    logs: logsOf([COMPUTE_BUDGET, TOKEN_PROGRAM], 2),
  });
}

/** An exchange of tokens over several pools; a failed one lists its instructions up to the error. */
function swap({ key, bytes, below, tokenAccount, transaction }: Parts, error: unknown): object {
  const trader = key();
  const pools = [key(), key()];
  const tokens = Array.from({ length: 6 }, tokenAccount).map((account, i) => ({
    ...account,
    owner: i < 2 ? trader : pools[i % 2]!,
  }));
  const keys = [trader, ...tokens.map(({ address }) => address), ...Array.from({ length: 8 }, key)];
  const program = keys.length;
  const inner = Array.from({ length: 12 }, (_, i) =>
    i % 3 === 0
      ? call(program, [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11], base58(bytes(24)), 2)
      : call(program + 1, [1 + (i % 3), 4 + (i % 3), 0], amountData(3, below(1e9), 0), 3),
  );
  return transaction({
    keys: [...keys, EXCHANGE, TOKEN_PROGRAM, COMPUTE_BUDGET],
    instructions: [
      call(program + 2, [], '3gJqkocMWaMm'),
      call(
        program,
        Array.from({ length: 15 }, (_, i) => i),
        base58(bytes(40)),
      ),
    ],
    inner,
    tokens,
    loaded: Array.from({ length: 10 }, key),
    logs: logsOf([COMPUTE_BUDGET, EXCHANGE, TOKEN_PROGRAM, EXCHANGE, TOKEN_PROGRAM, TOKEN_PROGRAM], 3),
    error,
  });
}

/**
 * The text of a block as large and as mixed as one of mainnet, about 600 transactions in 3.8 MB: a quarter of votes,
 * half of the transactions failed. The same seed gives the same text; its content is generated.
 */
export function solanaBlock(seed: number): string {
  const draws = createPseudoRandom(seed);
  const parts = createParts(draws);
  const many = (count: number, make: () => object): object[] => Array.from({ length: count }, make);
  const transactions = [
    ...many(VOTES, () => vote(parts)),
    ...many(FAILED, () => swap(parts, { InstructionError: [1, { Custom: draws.below(6_100) }] })),
    ...many(TOKEN_TRANSFERS, () => tokenTransfer(parts)),
    ...many(SWAPS, () => swap(parts, null)),
    ...many(TRANSFERS, () => transfer(parts)),
  ];
  const slot = 250_000_000 + seed;
  return JSON.stringify({
    blockHeight: slot - 20_000_000,
    blockTime: 1_700_000_000 + seed,
    blockhash: parts.key(),
    parentSlot: slot - 1,
    previousBlockhash: parts.key(),
    slot,
    transactions: draws.shuffled(transactions),
  });
}
