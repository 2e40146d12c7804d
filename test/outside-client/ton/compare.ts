import { Address } from '@ton/core';
import { until } from '../../until';
import { ask, type Json } from '../program';
import { hashOf, type Entry } from './chain';
import { expectedAction } from './expected-action';
import { comparable, expectedRow } from './expected-row';
import { expectJettonBalances } from './jetton-balances';
import { HISTORY_FORMS, readActions, type HistoryAccount } from './history';
import type { Truth } from './truth';

/** What one program answers about an account. */
export interface AccountAnswers {
  readonly rows: readonly Json[];
  readonly actions: readonly Json[];
}

export interface CompareOptions {
  /** Of the program. */
  readonly url: string;
  readonly network: 'mainnet' | 'testnet';
  /** Whether the program followed the accounts of the scenario from their beginning; it has read the others later. */
  readonly isFollowing: boolean;
  /** Sizes of pages in which each account is read. */
  readonly pageSizes: (transactions: number) => readonly number[];
}

const MAX_PAGE_SIZE = 100;
const CATCH_UP_MS = 120_000;

const isFinal = (row: Json): boolean => row.parsed.status !== 'pending';

/** Compares every row of every form of history with what the node and the requests say. @returns the answers of the program */
export async function compareWithTruth(
  truth: Truth,
  options: CompareOptions,
): Promise<Map<string, AccountAnswers>> {
  await expectJettonBalances(truth);
  // The first read of an account starts its backfill.
  const addresses = [...truth.chain.accounts.keys()].map(raw =>
    truth.scenario.friendly(Address.parseRaw(raw)),
  );
  await Promise.all(addresses.map(address => ask(`${options.url}/transactions/${address}?limit=1`)));
  const answers = new Map<string, AccountAnswers>();
  for (const [account, entries] of truth.chain.accounts) {
    const isFollowed = options.isFollowing && truth.scenario.followed.has(account);
    const known = isFollowed ? entries : truth.reachable(account);
    answers.set(account, await compareAccount(truth, account, known, options));
  }
  await compareStatuses(truth, options);
  return answers;
}

async function compareAccount(
  truth: Truth,
  raw: string,
  entries: readonly Entry[],
  { url, network, pageSizes }: CompareOptions,
): Promise<AccountAnswers> {
  const { scenario } = truth;
  const address = scenario.friendly(Address.parseRaw(raw));
  const account: HistoryAccount = { url, network, address };
  const [first, ...forms] = HISTORY_FORMS;
  const rows = await until(
    () => first!.read(account, MAX_PAGE_SIZE),
    read => read.length >= entries.length && read.every(isFinal),
    CATCH_UP_MS,
  ).catch(() => first!.read(account, MAX_PAGE_SIZE));
  expect(rows.map(comparable)).toEqual(entries.map(entry => expectedRow(truth, entry)));
  // The faucet had coins before its first transaction.
  if (entries.at(-1)?.tx.oldStatus !== 'active')
    expect(balanceOf(rows)).toBe(String(await scenario.node.balance(Address.parseRaw(raw))));
  for (const limit of pageSizes(entries.length))
    for (const { name, read } of [first!, ...forms])
      expect([name, limit, await read(account, limit)]).toEqual([name, limit, rows]);

  const expected = truth.roots(entries).map(entry => expectedAction(truth, entry));
  const { actions } = await until(
    () => readActions(account, MAX_PAGE_SIZE),
    page => page.complete && page.actions.every(({ status }) => status !== 'pending'),
    CATCH_UP_MS,
  );
  expect(actions).toEqual(expected);
  for (const limit of pageSizes(expected.length))
    expect((await readActions(account, limit)).actions).toEqual(actions);
  const since = expected[Math.floor(expected.length / 2)]?.time;
  if (since !== undefined)
    expect((await readActions(account, 3, since)).actions).toEqual(
      expected.filter(({ time }) => time >= since),
    );
  return { rows, actions };
}

/** The balance that the rows of a whole history add up to; without transactions of an account that the network has deleted. */
function balanceOf(rows: readonly Json[]): string {
  let balance = 0n;
  for (const { inMessage, outMessages, fees, newStatus } of rows.toReversed()) {
    if (inMessage?.info.type === 'internal') balance += BigInt(inMessage.info.value);
    for (const { info } of outMessages)
      if (info.type === 'internal') balance -= BigInt(info.value) + BigInt(info.fwdFee);
    balance -= BigInt(fees);
    if (newStatus === 'non-existing') balance = 0n;
  }
  return String(balance);
}

/** Every request is found by the hash of its message and of its transaction, with what became of it. */
async function compareStatuses(truth: Truth, { url, network }: CompareOptions): Promise<void> {
  for (const entry of [...truth.chain.accounts.keys()].flatMap(account => truth.reachable(account))) {
    const request = truth.requestOf(entry);
    if (!request) continue;
    const expected = {
      found: true,
      inProgress: false,
      status: 'confirmed',
      lt: entry.tx.lt.toString(),
      hash: hashOf(entry),
      timestamp: entry.tx.now,
      success: truth.status(entry) === 'success',
    };
    const isExternal = entry.tx.inMessage?.info.type === 'external-in';
    const message = request.message.hash().toString('hex');
    for (const txHash of [...(isExternal ? [message] : []), hashOf(entry)])
      expect(await ask(`${url}/ton/transactions/status/${network}`, { txHash })).toEqual(expected);
  }
}
