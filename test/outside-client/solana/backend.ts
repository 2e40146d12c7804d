import { until } from '../../until';
import type { Row } from './facts';

/** An answer of the backend: its status, and its body. */
interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** What the wallet app sends and keeps as the cursor of its history. */
interface Cursor {
  readonly ton?: { readonly lt: string; readonly hash: string };
  readonly solana?: { readonly before: string | null };
  readonly solanaToken?: { readonly before: string | null; readonly mint?: string };
}

interface Item {
  readonly type: 'ton' | 'solana';
  readonly data: Row & { readonly lt: string; readonly hash: string };
}

interface Page {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
  readonly cursor: Cursor;
}

/** Whose history a wallet shows: the empty string or undefined where it has no such account. */
interface WalletAccounts {
  readonly tonAddress: string;
  readonly solanaAddress: string;
  readonly solanaATAaddress?: string;
}

interface TokenBalance {
  readonly address: string;
  readonly amount: string;
}

/** The Solana endpoints of the backend, as the wallet app calls them. */
export class Backend {
  constructor(readonly url: string) {}

  async post<Body>(path: string, body: object): Promise<Answer<Body>> {
    const response = await fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Body };
  }

  /** Repeats a request while it is a 503, as the app does: the account is being read for the first time. */
  async #read<Body>(path: string, body: object): Promise<Body> {
    const answer = await until(
      () => this.post<Body>(path, body),
      ({ status }) => status !== 503,
    );
    if (answer.status !== 200)
      throw new Error(`${path} ${JSON.stringify(body)}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** One page of the list of transactions. */
  transactions(query: {
    readonly address: string;
    readonly mint?: string;
    readonly before?: string;
    readonly until?: string;
    readonly type?: string;
    readonly source?: string;
    readonly commitment?: 'confirmed' | 'finalized';
    readonly limit: number;
  }): Promise<Row[]> {
    return this.#read('/solana/transactions/mainnet', query);
  }

  /** The whole list, by pages: `before` is the last signature of the page before. */
  async allTransactions(query: {
    readonly address: string;
    readonly mint?: string;
    readonly limit: number;
  }): Promise<Row[]> {
    const rows: Row[] = [];
    for (;;) {
      const before = rows.at(-1)?.signature;
      const page = await this.transactions({ ...query, ...(before !== undefined && { before }) });
      rows.push(...page);
      if (page.length < query.limit) return rows;
    }
  }

  #v3(account: WalletAccounts, cursor: Cursor, limit: number): Promise<Page> {
    return this.#read('/transactions/v3', { account, network: 'mainnet', cursor, limit });
  }

  /** The whole history of a wallet, with the cursors of the answers. */
  async historyByCursor(account: WalletAccounts, limit: number): Promise<Item[]> {
    const items: Item[] = [];
    for (let cursor: Cursor = {}; ;) {
      const page = await this.#v3(account, cursor, limit);
      items.push(...unseen(items, page.data));
      if (!page.hasMore) return items;
      ({ cursor } = page);
    }
  }

  /**
   * The whole history of a wallet as the app pages: it takes the cursors from the items, one of them from those that move
   * USDC, and ends at a page that lacks more than two items.
   */
  async historyAsApp(account: WalletAccounts, limit: number, usdc: string): Promise<Item[]> {
    const items: Item[] = [];
    for (;;) {
      const lastOf = (kind: (item: Item) => boolean) => items.findLast(kind)?.data;
      const movesUsdc = ({ data }: Item): boolean => data.tokenTransfers.some(({ mint }) => mint === usdc);
      const ton = lastOf(({ type }) => type === 'ton');
      const solana = lastOf(item => item.type === 'solana' && !movesUsdc(item));
      const token = lastOf(item => item.type === 'solana' && movesUsdc(item));
      const page = await this.#v3(
        account,
        {
          ...(ton && { ton: { lt: ton.lt, hash: ton.hash } }),
          solana: { before: solana?.signature ?? null },
          solanaToken: { before: token?.signature ?? null, mint: usdc },
        },
        limit,
      );
      items.push(...unseen(items, page.data));
      if (page.data.length < limit - 2) return items;
    }
  }

  /** The status of a transaction; null while the backend knows nothing of it. */
  status(signature: string): Promise<Record<string, unknown> | null> {
    return this.#read('/solana/transaction/mainnet', { signature });
  }

  /** The fee of a transaction in lamports. @param transaction serialized, in base64 */
  async fee(transaction: string): Promise<number> {
    return (await this.#read<{ value: number }>('/solana/transaction/fees/mainnet', { transaction })).value;
  }

  async lamports(address: string): Promise<string> {
    return (await this.#read<{ balance: string }>('/solana/account/mainnet', { address })).balance;
  }

  /** The amount that an owner has of each mint, in the smallest unit. */
  async tokens(address: string): Promise<Record<string, string>> {
    const found = await this.#read<TokenBalance[]>('/solana/tokens/mainnet', { address });
    return Object.fromEntries(found.map(token => [token.address, token.amount]));
  }
}

/** The app drops the first TON item of a page: the cursor of TON names it, and it is repeated. */
function unseen(items: readonly Item[], page: readonly Item[]): readonly Item[] {
  const last = items.findLast(({ type }) => type === 'ton');
  const repeated = page.findIndex(({ type, data }) => type === 'ton' && data.hash === last?.data.hash);
  return page.filter((_, index) => index !== repeated);
}
