import type { HistoryItem } from '../../contracts/http/history/history';
import { formatTonAddress } from '../../contracts/account/address';
import { call } from '../e2e/client';
import { until } from '../until';
import type { Flow, Transfers } from './transfer-load';

interface Wallet {
  /** Raw. */
  readonly ton: string;
  readonly solana: string;
}

const wallets = ({ tonSender, tonReceiver, solanaSender, solanaReceiver }: Flow): [Wallet, Wallet] => [
  { ton: tonSender.contract.address.toRawString(), solana: solanaSender.publicKey.toBase58() },
  { ton: tonReceiver.toRawString(), solana: solanaReceiver.publicKey.toBase58() },
];

const MAX_PAGE_SIZE = 100;

/** The whole history of a wallet, page by page. The first TON transaction of a page is the last one seen. */
async function wholeHistory(url: string, wallet: Wallet): Promise<HistoryItem[]> {
  const items: HistoryItem[] = [];
  let seen = '';
  let cursor = {};
  for (;;) {
    const { status, body } = await call(url, 'POST', '/transactions/v3', {
      body: {
        account: { tonAddress: formatTonAddress(wallet.ton, 'mainnet'), solanaAddress: wallet.solana },
        network: 'mainnet',
        cursor,
        limit: MAX_PAGE_SIZE,
      },
    });
    expect(status).toBe(200);
    const page = body as { data: HistoryItem[]; hasMore: boolean; cursor: object };
    const repeated = page.data.findIndex(({ type, data }) => type === 'ton' && data.hash === seen);
    items.push(...page.data.filter((_, index) => index !== repeated));
    if (!page.hasMore) return items;
    const last = page.data.findLast(({ type }) => type === 'ton');
    if (last?.type === 'ton') seen = last.data.hash;
    cursor = page.cursor;
  }
}

/** How often each transfer occurs in a history: TON by comment, Solana by signature. */
function occurrences(items: readonly HistoryItem[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    const key = item.type === 'ton' ? item.data.operation.comment : item.data.signature;
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/**
 * Every TON transaction follows the next older one, down to the first of the account. Engines without transactions show
 * a newer one for a moment before the older ones of its commit.
 */
function expectUnbroken(items: readonly HistoryItem[]): void {
  const chain = items.flatMap(item => (item.type === 'ton' ? [item.data] : []));
  expect(chain.slice(0, -1).map(({ prevTransaction }) => prevTransaction.lt)).toEqual(
    chain.slice(1).map(({ lt }) => lt),
  );
  expect(chain.at(-1)?.prevTransaction.lt).toBe('0');
}

/** Reading the history of an account starts watching it. The other reads create observations. */
export async function watch(url: string, flow: Flow): Promise<void> {
  for (const wallet of wallets(flow)) {
    const items = await until(
      () => wholeHistory(url, wallet),
      items => items.some(({ type }) => type === 'solana'),
    );
    const { signature } = items.flatMap(item => (item.type === 'solana' ? [item.data] : []))[0]!;
    for (const [name, body] of [
      ['account', { address: wallet.solana }],
      ['tokens', { address: wallet.solana }],
      ['transaction', { signature }],
    ] as const)
      await until(
        () => call(url, 'POST', `/solana/${name}/mainnet`, { body }),
        ({ status }) => status === 200,
      );
  }
}

export interface Counted {
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
}

const CATCH_UP_TIMEOUT_MS = 300_000;

/**
 * Compares the histories of senders and receivers with the acknowledged transfers, once the indexers have caught up.
 */
export async function countTransfers(
  url: string,
  flows: readonly Flow[],
): Promise<{ ton: Counted; solana: Counted }> {
  const totals = {
    ton: { acknowledged: 0, lost: 0, doubled: 0 },
    solana: { acknowledged: 0, lost: 0, doubled: 0 },
  };
  for (const flow of flows) {
    for (const wallet of wallets(flow)) {
      let items: HistoryItem[] = [];
      let counts = new Map<string, number>();
      const missing = ({ acknowledged }: Transfers): string[] =>
        [...acknowledged].filter(key => !counts.has(key));
      await until(
        async () => {
          items = await wholeHistory(url, wallet);
          counts = occurrences(items);
          expectUnbroken(items);
          return [...missing(flow.ton), ...missing(flow.solana)].length;
        },
        left => left === 0,
        CATCH_UP_TIMEOUT_MS,
      ).catch(() => undefined);
      expectUnbroken(items);
      for (const chain of ['ton', 'solana'] as const) {
        const { acknowledged, uncertain } = flow[chain];
        totals[chain].lost += missing(flow[chain]).length;
        totals[chain].doubled += [...acknowledged, ...uncertain].filter(
          key => (counts.get(key) ?? 0) > 1,
        ).length;
      }
    }
    for (const chain of ['ton', 'solana'] as const)
      totals[chain].acknowledged += flow[chain].acknowledged.size;
  }
  return totals;
}
