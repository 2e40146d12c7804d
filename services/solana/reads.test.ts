import pino from 'pino';
import { accountKey } from '../../contracts/network/network';
import type { Document } from '../../contracts/ports/documents';
import type { NewJob } from '../../contracts/ports/jobs';
import { solanaAccountObservation } from '../../indexers/solana/observations/account';
import { solanaSignatureObservation } from '../../indexers/solana/observations/signature';
import { solanaTokensObservation } from '../../indexers/solana/observations/tokens';
import type { Views } from '../../projections/views';
import { createObservedReader } from '../observations/reader';
import { readBalance } from './account';
import { readStatus } from './status';
import { readTokens } from './tokens';
import { transactionsPage } from './transactions';
import type { UnreadSignatures } from './unread-signatures';

const ADDRESS = 'So11111111111111111111111111111111111111112';
const KEY = accountKey({ chain: 'solana', network: 'mainnet', address: ADDRESS });
const READER = { ip: '192.0.2.1', appendHeader: () => undefined };
const CALL = { ...READER, signal: new AbortController().signal };
const NOW = Date.parse('2026-11-20T12:00:00Z');

/** What these reads need together. */
type Deps = Parameters<typeof readBalance>[0] &
  Parameters<typeof readTokens>[0] &
  Parameters<typeof readStatus>[0] &
  Parameters<typeof transactionsPage>[0];

/** Documents by collection, a clock that moves by waiting only, and a source that answers requests at once. */
function fixture(
  source: (kind: string) => [collection: string, document: Document] | null = () => null,
  isKnown: UnreadSignatures['isKnown'] = async () => true,
) {
  const documents = new Map<string, Document>();
  const transactions: Document[] = [];
  const watched: string[] = [];
  const requested: string[] = [];
  let now = NOW;
  const views = {
    get: async (collection: string, id: string) => documents.get(`${collection}/${id}`) ?? null,
    find: async () => ({ documents: transactions, next: null }),
    async *scan() {
      yield transactions;
    },
    waitForChange: async () => void (now += 500),
    cached: (_query: unknown, compute: () => Promise<unknown>) => compute(),
  } as unknown as Views;
  const jobs = {
    async add({ id, data }: NewJob) {
      requested.push(id);
      const answer = source(data['kind'] as string);
      if (answer) documents.set(`${answer[0]}/${answer[1]._id}`, answer[1]);
      return true;
    },
  };
  const reading = { views, jobs, now: () => now, logger: pino({ level: 'silent' }) };
  const deps: Deps = {
    views,
    watch: async account => {
      watched.push(accountKey(account));
      return 1;
    },
    readOlder: async () => undefined,
    accounts: createObservedReader(solanaAccountObservation, reading),
    tokens: createObservedReader(solanaTokensObservation, reading),
    signatures: createObservedReader(solanaSignatureObservation, reading),
    unread: { isKnown, slotOf: async () => null },
    listWaitMs: 20,
  };
  return { deps, documents, transactions, watched, requested };
}

const ACCOUNTS = 'observed_solana_account';
const TOKENS = 'observed_solana_tokens';
const observed = (height: number, secondsAgo: number, data: object): Document =>
  ({ _id: KEY, height, at: new Date(NOW - secondsAgo * 1_000).toISOString(), data }) as Document;
const transaction = (slot: number, balance: string | null): Document => ({ _id: `t${slot}`, slot, balance });

describe('the balance', () => {
  const balance = async ({ deps }: ReturnType<typeof fixture>): Promise<string> =>
    (await readBalance(deps, 'mainnet', ADDRESS)).balance;

  test('is served from the observation while that is fresh, and the account is watched', async () => {
    const given = fixture();
    given.documents.set(`${ACCOUNTS}/${KEY}`, observed(10, 5, { balance: '77' }));
    expect(await balance(given)).toBe('77');
    expect(given.watched).toEqual([KEY]);
    expect(given.requested).toEqual([]);
  });

  test('is served and refreshed in the background when the observation is stale', async () => {
    const given = fixture();
    given.documents.set(`${ACCOUNTS}/${KEY}`, observed(10, 60, { balance: '77' }));
    expect(await balance(given)).toBe('77');
    expect(given.requested).toEqual([`solana.account/${KEY}`]);
  });

  test.each([
    ['a transaction after the observation', 11, '78'],
    ['the observation, which includes the transactions of its slot', 10, '77'],
  ])('is that of %s', async (_, slot, expected) => {
    const given = fixture();
    given.documents.set(`${ACCOUNTS}/${KEY}`, observed(10, 1, { balance: '77' }));
    given.transactions.push(transaction(slot + 1, null), transaction(slot, '78'));
    expect(await balance(given)).toBe(expected);
  });

  test('is awaited when nothing is known', async () => {
    const given = fixture(() => [ACCOUNTS, observed(10, 0, { balance: '0' })]);
    expect(await balance(given)).toBe('0');
  });

  test('is a 503 when nothing is known and the source does not answer', async () => {
    await expect(balance(fixture())).rejects.toMatchObject({
      status: 503,
      code: 'not_ready',
      headers: { 'Retry-After': '2' },
    });
  });
});

describe('the transactions', () => {
  const page = async ({ deps }: ReturnType<typeof fixture>, limit: number): Promise<string> =>
    (await transactionsPage(deps, 'mainnet', ADDRESS, { limit }, CALL)).text;
  const newest = (): Document => ({ ...transaction(11, '78'), signature: 's', mints: [], item: '{}' });

  test.each([
    ['before the backfill has ended', null, 503],
    [
      'while the older ones are being read',
      { watch: 1, slot: 20, since: 10, parts: 1, complete: false },
      503,
    ],
    ['once all is read', { watch: 1, slot: 20, since: -1, parts: 1, complete: true }, 200],
  ])('are a page that is not full %s with %j: %i', async (_, history, status) => {
    const given = fixture();
    given.transactions.push(newest());
    if (history) given.documents.set(`solana_histories/${KEY}`, { _id: KEY, ...history });
    const read = page(given, 2);
    if (status === 200) expect(await read).toBe('[{}]');
    else
      await expect(read).rejects.toMatchObject({
        status,
        code: 'not_ready',
        headers: { 'Retry-After': '2' },
      });
  });

  test.each([
    ['is a 503 while nothing says that it has no gap', null, false],
    ['is a 503 when it goes back further than the history is read', 11, false],
    ['is served as soon as the history is read that far', 10, true],
  ])('a full page %s', async (_, mentionedSince, isServed) => {
    const given = fixture();
    given.transactions.push(newest());
    const reached = { watch: 1, slot: 20, since: 20, mentionedSince, parts: 0, complete: false };
    if (mentionedSince !== null) given.documents.set(`solana_histories/${KEY}`, { _id: KEY, ...reached });
    const read = page(given, 1);
    await (isServed
      ? expect(read).resolves.toBe('[{}]')
      : expect(read).rejects.toMatchObject({ code: 'not_ready' }));
  });
});

describe('the tokens', () => {
  const token = (amount: string): object => ({ tokens: [{ address: 'Mint', amount }] });
  const amounts = async ({ deps }: ReturnType<typeof fixture>): Promise<string[]> =>
    (await readTokens(deps, 'mainnet', ADDRESS)).map(({ amount }) => amount);

  test('are awaited when a transaction is newer than the observation', async () => {
    const given = fixture(() => [TOKENS, observed(12, 0, token('2'))]);
    given.documents.set(`${TOKENS}/${KEY}`, observed(10, 1, token('1')));
    given.transactions.push(transaction(11, null));
    expect(await amounts(given)).toEqual(['2']);
  });

  test('are the last known ones when the source does not answer', async () => {
    const given = fixture();
    given.documents.set(`${TOKENS}/${KEY}`, observed(10, 1, token('1')));
    given.transactions.push(transaction(11, null));
    expect(await amounts(given)).toEqual(['1']);
  });

  test('are served and refreshed in the background when the observation is stale', async () => {
    const given = fixture();
    given.documents.set(`${TOKENS}/${KEY}`, observed(10, 60, token('1')));
    expect(await amounts(given)).toEqual(['1']);
    expect(given.requested).toEqual([`solana.tokens/${KEY}`]);
  });
});

describe('the status of a transaction', () => {
  const SIGNATURES = 'observed_solana_signature';
  const SIGNATURE = 'signature';
  const nodeSays = (height: number, data: object | null): Document =>
    ({
      _id: `solana:mainnet:${SIGNATURE}`,
      height,
      at: new Date(NOW).toISOString(),
      data: data && { err: null, ...data },
    }) as Document;
  const own = (account: string, finality: string, error: string | null = null): Document =>
    ({ _id: account, account, slot: 7, finality, error }) as Document;
  const status = ({ deps }: ReturnType<typeof fixture>) => readStatus(deps, 'mainnet', SIGNATURE, READER);

  test('is the further of that of a node and that of the documents', async () => {
    const given = fixture();
    given.documents.set(
      `${SIGNATURES}/solana:mainnet:${SIGNATURE}`,
      nodeSays(9, { slot: 7, confirmations: 5, confirmationStatus: 'confirmed' }),
    );
    expect(await status(given)).toMatchObject({ status: 'confirmed', confirmations: 5 });
    given.transactions.push(own(KEY, 'confirmed'));
    expect(await status(given)).toMatchObject({ status: 'confirmed', confirmations: 5 });
    given.transactions[0] = own(KEY, 'finalized');
    expect(await status(given)).toMatchObject({ confirmationStatus: 'finalized', confirmations: null });
  });

  test('is final when it is in the history of one of its accounts', async () => {
    const given = fixture();
    given.transactions.push(own(KEY, 'confirmed'), own('solana:mainnet:other', 'finalized'));
    expect(await status(given)).toMatchObject({ confirmationStatus: 'finalized', status: 'confirmed' });
  });

  test.each([
    ['pending', 'processed', null],
    ['confirmed', 'confirmed', null],
    ['failed', 'confirmed', { InstructionError: [0, { Custom: 1 }] }],
    ['failed', 'finalized', 'AccountNotFound'],
  ])('is %s when a node says %s, with error %j', async (expected, confirmationStatus, err) => {
    const given = fixture();
    given.documents.set(
      `${SIGNATURES}/solana:mainnet:${SIGNATURE}`,
      nodeSays(9, { slot: 7, confirmations: 0, confirmationStatus, err }),
    );
    expect(await status(given)).toMatchObject({ status: expected, err });
  });

  test('is null when no node knows it', async () => {
    const given = fixture();
    given.documents.set(`${SIGNATURES}/solana:mainnet:${SIGNATURE}`, nodeSays(9, null));
    expect(await status(given)).toBeNull();
  });

  test('of a signature without documents is observed only when a node knows it', async () => {
    const answer = nodeSays(9, { slot: 7, confirmations: 5, confirmationStatus: 'confirmed' });
    for (const isKnown of [false, true]) {
      const given = fixture(
        () => [SIGNATURES, answer],
        async () => isKnown,
      );
      expect((await status(given))?.status).toBe(isKnown ? 'confirmed' : undefined);
      expect(given.requested).toEqual(isKnown ? [`solana.signature/solana:mainnet:${SIGNATURE}`] : []);
    }
  });
});
