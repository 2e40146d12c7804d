import type { HistoryItem } from '../../contracts/http/history';
import { formatTonAddress } from '../../contracts/address';
import { call } from '../e2e/client';
import { until } from '../until';
import type { Flow, Transfers } from './main-transfers';

interface Wallet {
  /** Raw. */
  readonly ton: string;
  readonly solana: string;
}

const wallets = ({ tonSender, tonReceiver, solanaSender, solanaReceiver }: Flow): [Wallet, Wallet] => [
  { ton: tonSender.contract.address.toRawString(), solana: solanaSender.publicKey.toBase58() },
  { ton: tonReceiver.toRawString(), solana: solanaReceiver.publicKey.toBase58() },
];

const LARGEST_PAGE = 100;

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
        limit: LARGEST_PAGE,
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

/** How often each transfer stands in a history: TON by comment, Solana by signature. */
function occurrences(items: readonly HistoryItem[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    const key = item.type === 'ton' ? item.data.operation.comment : item.data.signature;
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Every TON transaction follows the one below it, down to the first of the account. */
function expectUnbroken(items: readonly HistoryItem[]): void {
  const chain = items.flatMap(item => (item.type === 'ton' ? [item.data] : []));
  expect(chain.slice(0, -1).map(({ prevTransaction }) => prevTransaction.lt)).toEqual(
    chain.slice(1).map(({ lt }) => lt),
  );
  expect(chain.at(-1)?.prevTransaction.lt).toBe('0');
}

/** A signature that only a node could know. */
const NOBODYS = '2'.repeat(88);

/** Asking for the history of an account is what has it watched. The other reads leave observations to be kept. */
export async function watch(url: string, flow: Flow): Promise<void> {
  for (const wallet of wallets(flow)) {
    await until(
      () => wholeHistory(url, wallet),
      items => items.some(({ type }) => type === 'solana'),
    );
    for (const [name, body] of [
      ['account', { address: wallet.solana }],
      ['tokens', { address: wallet.solana }],
      ['transaction', { signature: NOBODYS }],
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

const CATCHING_UP_MS = 120_000;

/** Holds the histories of both ends against what was acknowledged, after giving the indexers time to catch up. */
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
          return [...missing(flow.ton), ...missing(flow.solana)].length;
        },
        left => left === 0,
        CATCHING_UP_MS,
      ).catch(() => undefined);
      expectUnbroken(items);
      for (const chain of ['ton', 'solana'] as const) {
        const { acknowledged, unsure } = flow[chain];
        totals[chain].lost += missing(flow[chain]).length;
        totals[chain].doubled += [...acknowledged, ...unsure].filter(
          key => (counts.get(key) ?? 0) > 1,
        ).length;
      }
    }
    for (const chain of ['ton', 'solana'] as const)
      totals[chain].acknowledged += flow[chain].acknowledged.size;
  }
  return totals;
}
