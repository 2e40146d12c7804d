import fc from 'fast-check';
import type { UnifiedCursor } from '../../contracts/http/history/history';
import { JsonText } from '../../contracts/json/json-text';
import type { Views } from '../../projections/views';
import {
  ORPHANS,
  chainOrderOf,
  TRANSACTIONS,
  type TransactionDocument,
} from '../../projections/solana/transactions/documents';
import { solanaTransactions } from '../../projections/solana/transactions/queries';
import { InMemoryDocuments } from '../../test/doubles/documents';
import { runs } from '../../test/random';
import { mergeSources, type MergedPage, type TimelineItem } from './merge';
import { USDC } from '../../contracts/chain/usdc';
import { listReader } from '../reads/read-list';
import { solanaSource, type SolanaBefore, type SolanaHistory, type SolanaReading } from './solana';

const NETWORK = 'mainnet';
const MINT = USDC[NETWORK];
const OWNER = 'Owner';
const TOKEN_ACCOUNT = 'TokenAccount';

/** A transaction, oldest first in a history: what it moves, and which accounts it mentions or affects. */
interface Made {
  readonly movesUsdc: boolean;
  readonly owner: 'mentioned' | 'tokens' | 'no';
  readonly tokenAccount: boolean;
  readonly time: number;
}

const signatureOf = (index: number): string => `s${index}`;

/** The real queries over documents of the made transactions, several in a slot. */
async function historyOf(made: readonly Made[]): Promise<SolanaHistory> {
  const documents = new InMemoryDocuments();
  await documents.declare([TRANSACTIONS, ORPHANS]);
  const writes = made.flatMap(({ movesUsdc, owner, tokenAccount, time }, index) => {
    const signature = signatureOf(index);
    const timestamp = time;
    const mints = movesUsdc ? [MINT] : [];
    const item = JSON.stringify({ signature });
    const accounts: [string, boolean][] = [
      ...(owner === 'no' ? [] : [[OWNER, owner === 'mentioned'] as [string, boolean]]),
      ...(tokenAccount ? [[TOKEN_ACCOUNT, true] as [string, boolean]] : []),
    ];
    return accounts.map(([address, mentioned]) => {
      const account = `solana:${NETWORK}:${address}`;
      const chainOrder = chainOrderOf(100 + Math.floor(index / 3), index % 3);
      const id = `${account}/${signature}`;
      const seen = { account, signature, chainOrder, mentioned, timestamp, mints, item };
      const document = { _id: id, ...seen } as TransactionDocument;
      return { collection: TRANSACTIONS.name, id, document };
    });
  });
  await documents.commit({ writes });
  const { mentions, place } = solanaTransactions(documents as unknown as Views);
  return {
    async page(network, accounts, { limit, before: given }) {
      const before = await Promise.all(given.map(({ signature }) => place(network, signature)));
      return mentions(network, accounts, { limit, before: before.map(each => each!) });
    },
    sources: () => [],
  };
}

const reading: SolanaReading = {
  readList: listReader({}, new AbortController()),
  reader: { ip: '192.0.2.1', appendHeader: () => undefined },
};
const at = (signature: string): SolanaBefore => ({ signature, pointer: '/body/cursor/solana/before' });

const served = () => new JsonText<never>('');
const nameOf = (item: TimelineItem): string => (item.kind === 'ton' ? `t${item.lt}` : item.signature);

/** More pages than any history of this test has. */
const MAX_PAGES = 50;

/**
 * A double of the wallet app, by its cursors: the last item loaded of each of three kinds. It drops the repeated item of TON,
 * and loads another page while one has at least `limit - 2` items.
 */
async function loadAll(
  readPage: (cursor: UnifiedCursor) => Promise<MergedPage<TimelineItem>>,
  limit: number,
): Promise<string[]> {
  const loaded: TimelineItem[] = [];
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const last = (matches: (item: TimelineItem) => boolean) => loaded.filter(matches).at(-1);
    const ton = last(({ kind }) => kind === 'ton');
    const movesUsdc = (item: TimelineItem): boolean => item.kind === 'solana' && item.mints.includes(MINT);
    const other = last(item => item.kind === 'solana' && !movesUsdc(item));
    const usdc = last(movesUsdc);
    const page = await readPage({
      ...(ton?.kind === 'ton' && { ton: { lt: ton.lt, hash: ton.hash } }),
      solana: { before: other?.kind === 'solana' ? other.signature : null },
      solanaToken: { before: usdc?.kind === 'solana' ? usdc.signature : null, mint: MINT },
    });
    const isRepeated = (item: TimelineItem): boolean => !!ton && nameOf(item) === nameOf(ton);
    loaded.push(...page.items.filter(item => !isRepeated(item)));
    if (page.items.length < limit - 2) return loaded.map(nameOf);
  }
  throw new Error('the history has no end');
}

const anyTransaction: fc.Arbitrary<Made> = fc.record({
  movesUsdc: fc.boolean(),
  owner: fc.constantFrom('mentioned', 'tokens', 'no'),
  tokenAccount: fc.boolean(),
  time: fc.nat(50),
});

describe('the history of a wallet on both chains', () => {
  it('reaches its end with each transaction once, under the cursors of the wallet app', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(anyTransaction, { maxLength: 40 }),
        fc.array(fc.nat(50), { maxLength: 20 }),
        fc.integer({ min: 4, max: 9 }),
        async (made, tonTimes, limit) => {
          const history = await historyOf(made);
          const ton = [...tonTimes]
            .sort((a, b) => b - a)
            .map((time, i): TimelineItem => ({
              kind: 'ton',
              lt: String(900 - i),
              hash: `h${i}`,
              time,
              served,
            }));
          const readPage = async (cursor: UnifiedCursor): Promise<MergedPage<TimelineItem>> => {
            const before = [cursor.solana?.before, cursor.solanaToken?.before].flatMap(each =>
              typeof each === 'string' ? [at(each)] : [],
            );
            const from = cursor.ton ? ton.findIndex(item => nameOf(item) === `t${cursor.ton!.lt}`) : 0;
            let read = from;
            const tonSource = async (count: number) => {
              const items = ton.slice(read, (read += count));
              return { items, more: read < ton.length };
            };
            return mergeSources(
              [tonSource, solanaSource(history, NETWORK, [OWNER, TOKEN_ACCOUNT], before, reading)],
              limit,
            );
          };
          const loaded = await loadAll(readPage, limit);
          const ofSolana = made
            .map(({ owner, tokenAccount }, i) =>
              owner === 'mentioned' || tokenAccount ? signatureOf(i) : null,
            )
            .filter(signature => signature !== null)
            .reverse();
          expect(loaded.filter(name => name.startsWith('s'))).toEqual(ofSolana);
          expect(loaded.filter(name => name.startsWith('t'))).toEqual(ton.map(nameOf));
        },
      ),
      runs(100),
    ));

  const made = (owner: Made['owner'], tokenAccount: boolean, movesUsdc = true): Made => ({
    owner,
    tokenAccount,
    movesUsdc,
    time: 1,
  });
  const pageOf = async (
    transactions: readonly Made[],
    before: readonly string[],
    accounts = [OWNER, TOKEN_ACCOUNT],
  ) => {
    const history = await historyOf(transactions);
    const { items } = await solanaSource(history, NETWORK, accounts, before.map(at), reading)(9);
    return items.map(nameOf);
  };

  it('lists a transaction of both accounts once, and nothing that mentions neither', async () => {
    const both = [
      made('mentioned', true),
      made('tokens', true),
      made('tokens', false),
      made('mentioned', false),
    ];
    expect(await pageOf(both, [])).toEqual(['s3', 's1', 's0']);
    expect(await pageOf(both, [], [OWNER])).toEqual(['s3', 's0']);
  });

  it('continues after the older of both cursors', async () => {
    const all = Array.from({ length: 6 }, (_, i) => made('mentioned', false, i % 2 === 0));
    expect(await pageOf(all, ['s3', 's4'])).toEqual(['s2', 's1', 's0']);
    expect(await pageOf(all, ['s2'])).toEqual(['s1', 's0']);
  });
});
