import { PublicKey } from '@solana/web3.js';
import type { SolanaAccountObserved, SolanaAccountSubject } from '../../contracts/chain/solana-observations';
import { USDC } from '../../contracts/chain/usdc';
import { immutable } from '../../contracts/http/immutable-response';
import type { SolanaAccountFrame } from '../../contracts/http/solana/account-stream';
import { jsonObject, JsonText } from '../../contracts/json/json-text';
import { solanaTransactions } from '../../projections/solana/transactions/queries';
import { newestBalance } from './account';
import type { SolanaReadDeps } from './deps';

/** As text, since JavaScript's numbers cannot hold all of its integers. */
export type AccountMessage = JsonText<Extract<SolanaAccountFrame, { event: 'message' }>>;

/** What is known of an account, and the message that notifies of it. */
export interface AccountState {
  readonly message: AccountMessage;
  /**
   * Differs when the newest transaction of the account or of one of its token accounts does, when a fork has taken any of
   * their transactions back, or how far back one of the histories is known. A transaction of several of them, which are not
   * stored at once, changes it several times: clients also read each of them alone.
   */
  readonly histories: string;
  /**
   * False while a page of one of the histories may be refused, since its backfill has not ended, and while the newest
   * transaction of the account, which does not name it, is not in the history of the token account that shows it.
   */
  readonly isReadable: boolean;
  /** Differs when the account does, apart from its balance; null before it was observed. */
  readonly account: string | null;
  /** False while the observation is missing or older than the newest transaction: another one has been requested. */
  readonly isCurrent: boolean;
}

/**
 * Whether clients should read again. The first observation is no change, and no other balance either: a transaction that
 * changes it may be observed before the history includes it.
 */
export function isChanged(before: AccountState, after: AccountState): boolean {
  if (before.histories !== after.histories) return true;
  return before.account !== null && before.account !== after.account;
}

/**
 * Reads the state from documents. Requests an observation unless it is as new as the newest transaction, after which the
 * account may have another owner or size.
 * @param tokenAccounts whose history is read with that of the account
 * @param watches the number of each account's watch; null where it could not be watched, and what is known is served
 */
export async function readAccountState(
  { views, accounts }: Pick<SolanaReadDeps, 'views' | 'accounts'>,
  subject: SolanaAccountSubject,
  tokenAccounts: readonly string[],
  watches: readonly (number | null)[],
): Promise<AccountState> {
  const { network, address } = subject;
  const transactions = solanaTransactions(views);
  const [observed, ...histories] = await Promise.all([
    accounts.find(subject),
    ...[address, ...tokenAccounts].map(async account => {
      // The history is read first, so that the transactions include what it covers.
      const history = await transactions.history(network, account);
      return { history, newest: await transactions.newest(network, account) };
    }),
  ]);
  const newest = histories[0]!.newest;
  const through = tokenAccounts.filter(
    (each, i) =>
      newest?.tokenAccounts().includes(each) && newest.slot > (histories[i + 1]!.history?.since ?? -1),
  );
  const included = await Promise.all(
    through.map(each => transactions.inclusion(network, each, newest!.signature)),
  );
  const isCurrent = observed !== null && (observed.height ?? -1) >= (newest?.slot ?? -1);
  if (!isCurrent) void accounts.request(subject);

  // Not that of the observation, which may be ahead of the history.
  const slot = Math.max(...histories.map(({ newest }) => newest?.slot ?? 0)) || histories[0]!.history?.slot;
  const { balance: _, ...account } = observed?.data ?? { balance: null };
  return {
    message: messageOf(
      slot || observed?.height || 1,
      observed && { ...observed.data, balance: newestBalance(observed, newest)! },
    ),
    histories: JSON.stringify(
      histories.map(({ history, newest }) => [
        history?.slot,
        history?.complete,
        history?.rollbackOffset,
        newest?.signature,
        newest?.blockhash,
      ]),
    ),
    isReadable:
      !included.includes(null) &&
      histories.every(
        ({ history }, i) => history !== null && (watches[i] ?? history.watch) === history.watch,
      ),
    account: observed && JSON.stringify(account),
    isCurrent,
  };
}

function messageOf(slot: number, account: SolanaAccountObserved | null): AccountMessage {
  const value =
    account &&
    jsonObject({
      lamports: new JsonText<number>(account.balance),
      data: ['', 'base64'] as ['', 'base64'],
      owner: account.owner,
      executable: account.executable,
      rentEpoch: exactRentEpoch(account.rentEpoch),
      space: account.space,
    });
  const result = jsonObject({ context: { slot }, value });
  return immutable(jsonObject({ event: 'message' as const, data: jsonObject({ result }) }));
}

const NO_RENT = 2n ** 64n - 1n;

/** Nodes say 2^64 - 1 of what pays no rent, which was rounded to 2^64 when it was read. */
function exactRentEpoch(rentEpoch: number): JsonText<number> {
  const epoch = BigInt(rentEpoch);
  return new JsonText(String(epoch > NO_RENT ? NO_RENT : epoch));
}

const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const ASSOCIATED_TOKEN_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');

/** The token accounts whose history wallets read with that of an owner: the associated one of USDC. */
export function tokenAccountsOf({ network, address }: SolanaAccountSubject): readonly string[] {
  const owner = new PublicKey(address);
  if (!PublicKey.isOnCurve(owner.toBytes())) return [];
  const seeds = [owner.toBuffer(), TOKEN_PROGRAM.toBuffer(), new PublicKey(USDC[network]).toBuffer()];
  return [PublicKey.findProgramAddressSync(seeds, ASSOCIATED_TOKEN_PROGRAM)[0].toBase58()];
}
