import { accountKey } from '../../contracts/network';
import type { Document } from '../../contracts/ports/documents';
import { SOLANA_ACCOUNTS } from '../../projections/solana/accounts';
import { SOLANA_TOKENS } from '../../projections/solana/tokens';
import type { Views } from '../../projections/views';
import { readBalance } from './account';
import type { SolanaReadDeps } from './deps';
import { readTokens } from './tokens';

const ADDRESS = 'So11111111111111111111111111111111111111112';
const KEY = accountKey({ chain: 'solana', network: 'mainnet', address: ADDRESS });
const NOW = Date.parse('2026-11-20T12:00:00Z');

/** Documents by collection, a clock that moves by waiting only, and a source that answers when it is asked. */
function fixture(source: (kind: string) => [collection: string, document: Document] | null = () => null) {
  const documents = new Map<string, Document>();
  const transactions: Document[] = [];
  const watched: string[] = [];
  const requested: string[] = [];
  let now = NOW;
  const views = {
    get: async (collection: string, id: string) => documents.get(`${collection}/${id}`) ?? null,
    find: async () => ({ documents: transactions, next: null }),
    changed: async () => void (now += 500),
    answer: (_question: unknown, workOut: () => Promise<unknown>) => workOut(),
  } as unknown as Views;
  const deps: SolanaReadDeps = {
    views,
    now: () => now,
    watch: async account => void watched.push(accountKey(account)),
    async request(kind, subject) {
      requested.push(`${kind}/${subject}`);
      const answer = source(kind);
      if (answer) documents.set(`${answer[0]}/${answer[1]._id}`, answer[1]);
    },
  };
  return { deps, documents, transactions, watched, requested };
}

const observed = (height: number, secondsAgo: number, data: object): Document =>
  ({ _id: KEY, height, at: new Date(NOW - secondsAgo * 1_000).toISOString(), data }) as Document;
const transaction = (slot: number, balance: string | null): Document => ({ _id: `t${slot}`, slot, balance });

describe('the balance', () => {
  const balance = async ({ deps }: ReturnType<typeof fixture>): Promise<string> =>
    (await readBalance(deps, 'mainnet', ADDRESS)).balance;

  test('is served as it was read while that is fresh, and the account is watched', async () => {
    const given = fixture();
    given.documents.set(`${SOLANA_ACCOUNTS}/${KEY}`, observed(10, 5, { balance: '77' }));
    expect(await balance(given)).toBe('77');
    expect(given.watched).toEqual([KEY]);
    expect(given.requested).toEqual([]);
  });

  test('is served as it is and read anew behind when it is old', async () => {
    const given = fixture();
    given.documents.set(`${SOLANA_ACCOUNTS}/${KEY}`, observed(10, 60, { balance: '77' }));
    expect(await balance(given)).toBe('77');
    expect(given.requested).toEqual([`solana.account/${KEY}`]);
  });

  test.each([
    ['a transaction after the read', 11, '78'],
    ['no transaction of the slot that was read, which the read has seen', 10, '77'],
  ])('is that of %s', async (_, slot, expected) => {
    const given = fixture();
    given.documents.set(`${SOLANA_ACCOUNTS}/${KEY}`, observed(10, 1, { balance: '77' }));
    given.transactions.push(transaction(slot + 1, null), transaction(slot, '78'));
    expect(await balance(given)).toBe(expected);
  });

  test('is waited for when nothing is known', async () => {
    const given = fixture(() => [SOLANA_ACCOUNTS, observed(10, 0, { balance: '0' })]);
    expect(await balance(given)).toBe('0');
  });

  test('is not made up when the source does not answer', async () => {
    await expect(balance(fixture())).rejects.toMatchObject({
      status: 503,
      code: 'not_ready',
      more: { headers: { 'Retry-After': '2' } },
    });
  });
});

describe('the tokens', () => {
  const token = (amount: string): object => ({ tokens: [{ address: 'Mint', amount }] });
  const amounts = async ({ deps }: ReturnType<typeof fixture>): Promise<string[]> =>
    (await readTokens(deps, 'mainnet', ADDRESS)).map(({ amount }) => amount);

  test('are waited for when a transaction is newer than what was read', async () => {
    const given = fixture(() => [SOLANA_TOKENS, observed(12, 0, token('2'))]);
    given.documents.set(`${SOLANA_TOKENS}/${KEY}`, observed(10, 1, token('1')));
    given.transactions.push(transaction(11, null));
    expect(await amounts(given)).toEqual(['2']);
  });

  test('are the last known ones when the source does not answer', async () => {
    const given = fixture();
    given.documents.set(`${SOLANA_TOKENS}/${KEY}`, observed(10, 1, token('1')));
    given.transactions.push(transaction(11, null));
    expect(await amounts(given)).toEqual(['1']);
  });

  test('are served as they are and read anew behind when they are old', async () => {
    const given = fixture();
    given.documents.set(`${SOLANA_TOKENS}/${KEY}`, observed(10, 60, token('1')));
    expect(await amounts(given)).toEqual(['1']);
    expect(given.requested).toEqual([`solana.tokens/${KEY}`]);
  });
});
