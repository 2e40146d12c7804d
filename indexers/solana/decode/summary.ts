import type { TokenTransfer, TransactionType } from '../../../contracts/chain/solana-transaction';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  EXCHANGES,
  isNativeMint,
  NATIVE_MINT,
  PLAIN_PROGRAMS,
  STAKE_PROGRAM,
  VOTE_PROGRAM,
} from '../programs';
import { formatUnits } from '../../../contracts/money/decimal';
import type { Effect } from './effect';
import type { Instruction } from './instructions';
import type { NativeMovement } from './native-transfers';
import type { TokenAccounts } from './token-accounts';

interface Summary {
  readonly type: TransactionType;
  readonly source: string;
  readonly description: string;
}

/** What happened in a transaction, and who paid for it. */
export interface Content {
  readonly feePayer: string;
  readonly instructions: readonly Instruction[];
  readonly effects: readonly Effect[];
  readonly native: readonly NativeMovement[];
  readonly tokens: readonly TokenTransfer[];
  readonly known: TokenAccounts;
}

export const UNKNOWN: Summary = { type: 'UNKNOWN', source: 'UNKNOWN', description: '' };

/** The purpose of a transaction where it is evident. */
export function summary(content: Content): Summary {
  const { instructions, effects } = content;
  const programs = new Set(instructions.map(({ programId }) => programId));
  const exchange = [...programs].map(program => EXCHANGES.get(program)).find(name => name !== undefined);
  if (exchange !== undefined) return ofExchange(content, exchange);
  if (effects.some(({ kind }) => kind === 'withdraw-vote')) return ofWithdrawal(content, 'VOTE_PROGRAM');
  if (instructions.some(({ depth, programId }) => depth === 0 && programId === STAKE_PROGRAM))
    return ofStake(content);
  if (programs.has(VOTE_PROGRAM)) return { ...ofLamports(content, programs), source: 'VOTE_PROGRAM' };
  if (![...programs].every(program => PLAIN_PROGRAMS.has(program)))
    return ofSwap(content, 'UNKNOWN') ?? UNKNOWN;
  return ofSwap(content, 'SOLANA_PROGRAM_LIBRARY') ?? ofTokens(content) ?? ofLamports(content, programs);
}

/** An exchange that moved several tokens swapped them, also where it ended with the token that it began with. */
function ofExchange(content: Content, source: string): Summary {
  const several = new Set(content.tokens.map(({ mint }) => mint)).size > 1;
  return ofSwap(content, source) ?? { ...UNKNOWN, type: several ? 'SWAP' : 'UNKNOWN', source };
}

/** A swap: the payer gave one asset to somebody and got another. SOL counts as its wrapped form. */
function ofSwap({ feePayer, native, tokens, known }: Content, source: string): Summary | null {
  const changes = new Map<string, bigint>();
  const add = (mint: string, amount: bigint): void =>
    void changes.set(mint, (changes.get(mint) ?? 0n) + amount);
  for (const { kind, fromUserAccount, toUserAccount, mint, rawAmount } of tokens) {
    if (kind !== 'transfer' && kind !== 'fee') continue;
    const asset = isNativeMint(mint) ? NATIVE_MINT : mint;
    if (fromUserAccount === feePayer) add(asset, -BigInt(rawAmount));
    if (toUserAccount === feePayer) add(asset, BigInt(rawAmount));
  }
  const isOwn = (account: string): boolean => known.accounts.get(account)?.owner === feePayer;
  for (const { kind, from, to, amount } of native) {
    if ((kind !== 'transfer-lamports' && kind !== null) || isOwn(from) || isOwn(to)) continue;
    if (to === feePayer) add(NATIVE_MINT, amount);
    // Beside an unknown program it may be a deposit or a tip.
    if (from === feePayer && source !== UNKNOWN.source) add(NATIVE_MINT, -amount);
  }
  const given = [...changes].filter(([, amount]) => amount < 0n);
  const received = [...changes].filter(([, amount]) => amount > 0n);
  if (given.length === 0 || received.length === 0) return null;
  const list = (assets: typeof given): string =>
    assets.map(([mint, amount]) => assetText(mint, amount < 0n ? -amount : amount, known)).join(' and ');
  return { type: 'SWAP', source, description: `${feePayer} swapped ${list(given)} for ${list(received)}.` };
}

const sol = (lamports: bigint): string => `${formatUnits(lamports, 9)} SOL`;

function assetText(mint: string, amount: bigint, { decimals }: TokenAccounts): string {
  const places = decimals.get(mint);
  if (mint === NATIVE_MINT) return sol(amount);
  return `${places === undefined ? `${amount} units of` : formatUnits(amount, places)} ${mint}`;
}

/** The first that a transaction contains is its type: to delegate, one creates and initializes first. */
const STAKE_TYPES: readonly (readonly [kind: Effect['kind'], type: TransactionType, what: string])[] = [
  ['delegate-stake', 'STAKE_SOL', 'delegated the stake of'],
  ['deactivate-stake', 'UNSTAKE_SOL', 'deactivated the stake of'],
  ['withdraw-stake', 'WITHDRAW', ''],
  ['split-stake', 'SPLIT_STAKE', 'split the stake of'],
  ['merge-stake', 'MERGE_STAKE', 'merged the stake of'],
  ['initialize-stake', 'INIT_STAKE', 'initialized stake account'],
];

function ofStake(content: Content): Summary {
  const source = 'STAKE_PROGRAM';
  for (const [kind, type, what] of STAKE_TYPES) {
    const found = content.effects.find(effect => effect.kind === kind);
    if (!found) continue;
    if (type === 'WITHDRAW') return ofWithdrawal(content, source);
    const account = found.account ?? found.lamports?.from;
    return { type, source, description: `${content.feePayer} ${what} ${account}.` };
  }
  return { ...UNKNOWN, source };
}

function ofWithdrawal({ native }: Content, source: string): Summary {
  const withdrawn = native.find(({ kind }) => kind === 'withdraw-vote' || kind === 'withdraw-stake');
  if (!withdrawn) return { ...UNKNOWN, source };
  const { from, to, amount } = withdrawn;
  return { type: 'WITHDRAW', source, description: `${to} withdrew ${sol(amount)} from ${from}.` };
}

/** Of several kinds of movement, the first of these gives the type. */
const TOKEN_TYPES: Readonly<Partial<Record<TokenTransfer['kind'], TransactionType>>> = {
  transfer: 'TRANSFER',
  'confidential-transfer': 'TRANSFER',
  mint: 'TOKEN_MINT',
  burn: 'BURN',
  'confidential-deposit': 'DEPOSIT',
  'confidential-withdrawal': 'WITHDRAW',
  'fee-withdrawal': 'WITHDRAW',
  wrap: 'TRANSFER',
};

function ofTokens({ tokens, feePayer }: Content): Summary | null {
  for (const [kind, type] of Object.entries(TOKEN_TYPES)) {
    const found = tokens.find(transfer => transfer.kind === kind);
    if (found) return { type, source: 'SOLANA_PROGRAM_LIBRARY', description: tokenText(found, feePayer) };
  }
  return null;
}

function tokenText(transfer: TokenTransfer, feePayer: string): string {
  const { kind, fromUserAccount: from, toUserAccount: to, rawAmount, tokenAmount, mint } = transfer;
  const isExact = Number.isSafeInteger(Number(rawAmount));
  const amount = `${isExact ? tokenAmount : `${rawAmount} units`} ${mint}`;
  switch (kind) {
    case 'transfer':
      return `${from} transferred ${amount} to ${to}.`;
    case 'confidential-transfer':
      return `${from} transferred a confidential amount of ${mint} to ${to}.`;
    case 'mint':
      return `${amount} minted to ${to}.`;
    case 'burn':
      return `${from} burned ${amount}.`;
    case 'confidential-deposit':
      return `${from} deposited ${amount} to a confidential balance.`;
    case 'confidential-withdrawal':
      return `${to} withdrew ${amount} from a confidential balance.`;
    case 'fee-withdrawal':
      return `${to} withdrew ${amount} of withheld fees.`;
    default:
      return `${from || feePayer} wrapped ${amount}.`;
  }
}

function ofLamports({ native, effects }: Content, programs: ReadonlySet<string>): Summary {
  const source = programs.has(ASSOCIATED_TOKEN_PROGRAM) ? 'ASSOCIATED_TOKEN_PROGRAM' : 'SYSTEM_PROGRAM';
  const paid = native.find(({ kind }) => kind === 'transfer-lamports');
  if (paid)
    return {
      type: 'TRANSFER',
      source: 'SYSTEM_PROGRAM',
      description: `${paid.from} transferred ${sol(paid.amount)} to ${paid.to}.`,
    };
  const created = native.find(({ kind }) => kind === 'create-account');
  if (created)
    return { type: 'CREATE_ACCOUNT', source, description: `${created.from} created account ${created.to}.` };
  const closed = effects.find(({ kind }) => kind === 'close-account')?.lamports;
  if (closed)
    return {
      type: 'CLOSE_ACCOUNT',
      source: 'SOLANA_PROGRAM_LIBRARY',
      description: `Account ${closed.from} was closed in favour of ${closed.to}.`,
    };
  return UNKNOWN;
}
