import { isDeepStrictEqual } from 'node:util';
import { until } from '../../until';
import type { Backend } from './backend';
import { USDC, type SentTransaction } from './chain';
import { factsOfRow, type Row, type TokenTransfer } from './facts';
import type { SolanaNode } from './node';
import type { ChainTruth } from './truth';

/** A TON account without transactions: the history of a wallet needs one. */
const NO_TON_ACCOUNT = `0:${'0'.repeat(63)}1`;

interface Comparison {
  readonly backend: Backend;
  readonly truth: ChainTruth;
  /** Accounts whose pages are read in every size; the others in the largest only. */
  readonly wallets: readonly { readonly owner: string; readonly usdc: string }[];
  readonly pageSizes: readonly number[];
  /** False where a fork may have taken what a transaction needed: then only the node shows what it did. */
  readonly isMeant?: boolean;
}

const MAX_PAGE_SIZE = 100;

/** The rows of each account that took part. */
type Histories = Readonly<Record<string, readonly Row[]>>;

/**
 * Compares everything that the backend says of the accounts that took part with what the node says: every row of every form
 * of history, in pages of several sizes, statuses, fees and balances. The chain must be at rest. @returns the histories
 */
export async function compareWithNode({
  backend,
  truth,
  wallets,
  pageSizes,
  isMeant = true,
}: Comparison): Promise<Histories> {
  const { node, sent, accounts } = truth;
  const meanings = new Map(sent.map(each => [each.signature, each]));
  await caughtUp(backend, truth);

  const expectRows = (found: readonly Row[], signatures: readonly string[]): void => {
    expect(signaturesOf(found)).toEqual(signatures);
    for (const row of found) {
      const named = meanings.get(row.signature);
      const name = named?.name ?? 'not sent by this client';
      expect({ name, ...factsOfRow(row) }).toEqual({ name, ...truth.factsOf(row.signature) });
      if (named && isMeant) expectMeaning(row, named);
    }
  };

  const histories: Record<string, Row[]> = {};
  for (const address of accounts) {
    const isWallet = wallets.some(({ owner, usdc }) => owner === address || usdc === address);
    for (const limit of [...(isWallet ? pageSizes : []), MAX_PAGE_SIZE]) {
      const rows = (histories[address] = await backend.allTransactions({ address, limit }));
      expectRows(rows, truth.mentioning(address));
      for (const mint of truth.mintsOf(address))
        expectRows(await backend.allTransactions({ address, mint, limit }), truth.ofMint(address, mint));
    }
    await expectBalances(backend, node, address);
  }

  for (const { owner, usdc } of wallets)
    for (const address of [owner, usdc]) await expectFilters(backend, address, histories[address]!);

  for (const { owner, usdc } of wallets)
    for (const limit of [...pageSizes, MAX_PAGE_SIZE]) {
      const account = { tonAddress: NO_TON_ACCOUNT, solanaAddress: owner };
      const both = { ...account, solanaATAaddress: usdc };
      const rowsOf = async (read: Promise<readonly { readonly data: Row }[]>): Promise<Row[]> =>
        (await read).map(({ data }) => data);
      expectRows(await rowsOf(backend.historyByCursor(account, limit)), truth.mentioning(owner));
      expectRows(await rowsOf(backend.historyByCursor(both, limit)), truth.mentioning(owner, usdc));
      // The app ends at a page that lacks more than two items, so its pages have more than those.
      if (limit > 2)
        expectRows(
          await rowsOf(backend.historyAsApp(both, limit, USDC.toBase58())),
          truth.mentioning(owner, usdc),
        );
    }

  for (const { name, signature, wire } of sent) {
    const [status, expected] = [await backend.status(signature), await node.status(signature)];
    if (expected === null) expect([name, status]).toEqual([name, null]);
    else {
      const { slot, err, confirmationStatus } = expected;
      expect([name, status]).toMatchObject([
        name,
        { slot, err, confirmationStatus, status: err === null ? 'confirmed' : 'failed' },
      ]);
      expect([name, await backend.fee(wire)]).toEqual([name, (await node.transaction(signature)).meta.fee]);
    }
  }
  return histories;
}

/**
 * Waits until the newest page of each account is the node's. One that never is makes it end: what follows says how it
 * differs.
 */
async function caughtUp(backend: Backend, truth: ChainTruth): Promise<void> {
  await Promise.allSettled(
    truth.accounts.map(async address => {
      const newest = truth.mentioning(address).slice(0, MAX_PAGE_SIZE);
      return until(
        async () => signaturesOf(await backend.transactions({ address, limit: MAX_PAGE_SIZE })),
        found => found.join() === newest.join(),
      );
    }),
  );
}

/** Each filter of the list leaves of the history what it says, newest first. */
async function expectFilters(backend: Backend, address: string, history: readonly Row[]): Promise<void> {
  const middle = Math.floor(history.length / 2);
  const { signature, type, source } = history[middle]!;
  for (const [filter, expected] of [
    [{ until: signature }, history.slice(0, middle)],
    [{ type }, history.filter(row => row.type === type)],
    [{ source }, history.filter(row => row.source === source)],
    [{ commitment: 'finalized' }, history],
  ] as const) {
    const found = await backend.transactions({ address, ...filter, limit: MAX_PAGE_SIZE });
    expect([filter, signaturesOf(found)]).toEqual([filter, signaturesOf(expected.slice(0, MAX_PAGE_SIZE))]);
  }
}

const signaturesOf = (rows: readonly Row[]): string[] => rows.map(({ signature }) => signature);

/** Balances change without a transaction that histories show: votes cost a fee. They are observed now and then. */
async function expectBalances(backend: Backend, node: SolanaNode, address: string): Promise<void> {
  const [lamports, tokens] = [String(await node.lamports(address)), await node.tokens(address)];
  const read = async () => ({
    lamports: await backend.lamports(address),
    tokens: await backend.tokens(address),
  });
  const isRead = (found: Awaited<ReturnType<typeof read>>): boolean =>
    found.lamports === lamports && isDeepStrictEqual(found.tokens, tokens);
  const found = await until(read, isRead).catch(read);
  expect({ address, ...found }).toEqual({ address, lamports, tokens });
}

/** The row says what the sender meant. */
function expectMeaning(row: Row, { name, meaning }: SentTransaction): void {
  const { type, source, tokens, lamports } = meaning!;
  expect({ name, type: row.type, ...(source && { source: row.source }) }).toEqual({
    name,
    type,
    ...(source && { source }),
  });
  if (tokens) expect([name, row.tokenTransfers.map(lineOf)]).toEqual([name, tokens]);
  if (lamports)
    expect([
      name,
      row.nativeTransfers.map(
        ({ fromUserAccount, toUserAccount, amount }) => `${fromUserAccount} ${toUserAccount} ${amount}`,
      ),
    ]).toEqual([name, lamports]);
}

const lineOf = ({ kind, fromTokenAccount, toTokenAccount, mint, rawAmount }: TokenTransfer): string =>
  [kind, fromTokenAccount || '-', toTokenAccount || '-', mint, rawAmount].join(' ');
