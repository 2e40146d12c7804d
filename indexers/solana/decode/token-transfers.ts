import type { TokenTransfer } from '../../../contracts/chain/solana-transaction';
import { isNativeMint } from '../programs';
import { formatUnits } from '../../../contracts/money/decimal';
import type { TokenDelta } from './balance-changes';
import type { Effect } from './effect';
import { pairChanges } from './pair';
import { mintOf, type TokenAccounts } from './token-accounts';

type Kind = TokenTransfer['kind'];

/** Tokens that moved; one side is `''` when no token account is on it. */
interface Movement {
  readonly kind: Kind;
  readonly from: string;
  readonly to: string;
  readonly mint: string;
  readonly authority: string;
  /** What reaches the receiver. */
  amount: bigint;
  /** What is withheld beside it from the sender. */
  fee: bigint;
}

const KINDS: Partial<Record<Effect['kind'], Kind>> = {
  'transfer-tokens': 'transfer',
  mint: 'mint',
  burn: 'burn',
  'confidential-deposit': 'confidential-deposit',
  'confidential-withdrawal': 'confidential-withdrawal',
  'confidential-transfer': 'confidential-transfer',
};

/**
 * The tokens that a successful transaction moved. Instructions of the token programs pair sender and receiver, in the order
 * they ran; what they do not explain of the node's balances comes after them. So for every token account they add up to
 * its change, whatever moved the tokens.
 */
export function tokenTransfers(
  effects: readonly Effect[],
  known: TokenAccounts,
  balances: readonly TokenDelta[],
): TokenTransfer[] {
  const movements = effects.flatMap(effect => movement(effect, known) ?? []);
  if (movements.length > 0 || balances.some(({ amount }) => amount !== 0n)) {
    const changes = unexplained(movements, known, balances);
    for (const [mint, ofMint] of changes) movements.push(...explained(mint, ofMint, effects, movements));
  }
  return [...movements, ...handedOver(movements, known)].flatMap(each => transfers(each, known));
}

/**
 * The tokens of accounts that got another owner, as far as they did not leave before: on both sides is the account. No
 * balance of an account shows them, but those of the owners do.
 */
function handedOver(movements: readonly Movement[], { accounts }: TokenAccounts): Movement[] {
  return [...accounts].flatMap(([account, { mint, previous }]): Movement[] => {
    if (!previous) return [];
    const left = movements
      .filter(each => each.from === account && each.mint === mint)
      .reduce((rest, { amount, fee }) => rest - amount - fee, previous.amount);
    if (left <= 0n) return [];
    return [{ kind: 'transfer', from: account, to: account, mint, authority: '', amount: left, fee: 0n }];
  });
}

function movement({ kind, tokens }: Effect, known: TokenAccounts): Movement | null {
  const named = tokens && KINDS[kind];
  const mint = tokens && mintOf(tokens, known);
  if (!named || mint === undefined) return null;
  const { source = '', destination = '', authority = '', amount, fee = 0n } = tokens;
  return { kind: named, from: source, to: destination, mint, authority, amount: amount - fee, fee };
}

/** Changes of token accounts, by mint. */
type Changes = Map<string, Map<string, bigint>>;

/** The changes of the balances less what the movements say of them, where they differ. */
function unexplained(
  movements: readonly Movement[],
  { accounts }: TokenAccounts,
  balances: readonly TokenDelta[],
): Changes {
  const changes: Changes = new Map();
  const add = (mint: string, account: string, amount: bigint): void => {
    const ofMint = changes.get(mint) ?? new Map<string, bigint>();
    changes.set(mint, ofMint);
    ofMint.set(account, (ofMint.get(account) ?? 0n) + amount);
  };
  for (const { mint, account, amount } of balances) add(mint, account, amount);
  for (const { mint, from, to, amount, fee } of movements) {
    // The balances of an account that nothing else names are unknown, as in blocks before token balances were recorded.
    if (accounts.has(from)) add(mint, from, amount + fee);
    if (accounts.has(to)) add(mint, to, -amount);
  }
  for (const ofMint of changes.values())
    for (const [account, amount] of ofMint) if (amount === 0n) ofMint.delete(account);
  return changes;
}

/** The movements that explain the rest of the changes of a mint; fees withheld on transfers are set in those. */
function explained(
  mint: string,
  changes: Map<string, bigint>,
  effects: readonly Effect[],
  movements: readonly Movement[],
): Movement[] {
  if (changes.size === 0) return [];
  const found: Movement[] = [];
  const move = (kind: Kind, from: string, to: string, amount: bigint): void => {
    found.push({ kind, from, to, mint, authority: '', amount, fee: 0n });
  };
  const explain = (account: string, positive: Kind, negative: Kind | null): void => {
    const amount = changes.get(account) ?? 0n;
    if (amount > 0n) move(positive, '', account, amount);
    else if (amount < 0n && negative !== null) move(negative, account, '', -amount);
    else return;
    changes.delete(account);
  };

  for (const { kind, account, lamports } of effects)
    if (isNativeMint(mint)) {
      if (kind === 'wrap' || kind === 'unwrap') explain(account!, 'wrap', 'unwrap');
      if (kind === 'close-account') explain(lamports!.from, 'wrap', 'unwrap');
    } else if (kind === 'withdraw-withheld-fees' && account !== undefined)
      explain(account, 'fee-withdrawal', null);

  if (![...changes.values()].some(amount => amount > 0n)) withhold(mint, changes, movements);
  for (const { from, to, amount } of pairChanges([...changes]))
    move(from && to ? 'transfer' : 'unexplained', from, to, amount);
  return found;
}

/**
 * A receiver that got less than was sent: Token-2022 withheld the fee of the mint, which plain transfers do not name. The
 * fees of several transfers to one account are shared out by their amounts.
 */
function withhold(mint: string, changes: Map<string, bigint>, movements: readonly Movement[]): void {
  for (const [account, change] of changes) {
    const received = movements.filter(
      ({ kind, to, fee, ...each }) =>
        kind === 'transfer' && to === account && each.mint === mint && fee === 0n,
    );
    let amounts = received.reduce((sum, { amount }) => sum + amount, 0n);
    let missing = -change < amounts ? -change : amounts;
    if (received.length === 0) continue;
    changes.set(account, change + missing);
    for (const each of received) {
      const fee = amounts === 0n ? 0n : (missing * each.amount) / amounts;
      amounts -= each.amount;
      missing -= fee;
      each.amount -= fee;
      each.fee = fee;
    }
  }
}

/** A movement as wallets read it, and the fee withheld from it as another. */
function transfers(
  { kind, from, to, mint, authority, amount, fee }: Movement,
  known: TokenAccounts,
): TokenTransfer[] {
  const places = known.decimals.get(mint);
  if (places === undefined) return [];
  const ownerOf = (account: string): string => known.accounts.get(account)?.owner ?? '';
  const sender = from && (known.accounts.get(from)?.previous?.owner || ownerOf(from) || authority);
  const transfer = (kind: Kind, to: string, amount: bigint): TokenTransfer => ({
    fromTokenAccount: from,
    toTokenAccount: to,
    // Wrapped and confidential tokens come from and stay with the owner.
    fromUserAccount: sender || (OWN.has(kind) ? ownerOf(to) : ''),
    toUserAccount: (to && ownerOf(to)) || (OWN.has(kind) ? sender : ''),
    mint,
    tokenStandard: places === 0 && amount === 1n ? 'NonFungible' : 'Fungible',
    tokenAmount: Number(formatUnits(amount, places)),
    rawAmount: amount.toString(),
    kind,
  });
  return fee === 0n ? [transfer(kind, to, amount)] : [transfer(kind, to, amount), transfer('fee', '', fee)];
}

const OWN: ReadonlySet<Kind> = new Set(['wrap', 'unwrap', 'confidential-deposit', 'confidential-withdrawal']);
