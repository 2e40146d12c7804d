import { ask, type Json } from '../program';

/** One way to read the history of an account: by page, and by the cursor of a wallet app. */
export interface HistoryForm {
  readonly name: string;
  read(account: HistoryAccount, limit: number): Promise<Json[]>;
}

export interface HistoryAccount {
  /** Of the program. */
  readonly url: string;
  /** User-friendly. */
  readonly address: string;
  readonly network: 'mainnet' | 'testnet';
}

interface Page {
  readonly rows: readonly Json[];
  /** Undefined where the form does not show it. */
  readonly hasMore?: boolean;
}

type Cursor = { readonly lt: string; readonly hash: string };

const cursorOf = ({ lt, hash }: Json): Cursor => ({ lt, hash });

/** Longer than any history of a test: paging that never ends fails. */
const MAX_PAGES = 2_000;

/**
 * Reads to the end of the paging. The cursor is inclusive: every page but the first repeats the last row of the one before,
 * which wallet apps drop.
 */
async function toTheEnd(limit: number, read: (cursor?: Cursor) => Promise<Page>): Promise<Json[]> {
  const all: Json[] = [];
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const last = all.at(-1);
    const { rows, hasMore } = await read(last && cursorOf(last));
    if (last) expect(rows[0]).toEqual(last);
    expect(rows.length).toBeLessThanOrEqual(limit);
    all.push(...(last ? rows.slice(1) : rows));
    if (hasMore === undefined ? rows.length < limit : !hasMore) return all;
  }
  throw new Error('the paging does not end');
}

const query = ({ network }: HistoryAccount, limit: number, cursor: Cursor | undefined): string =>
  new URLSearchParams({ network, limit: String(limit), ...cursor }).toString();

const ton = (items: readonly Json[]): Json[] =>
  items.map(({ type, data }) => {
    expect(type).toBe('ton');
    return data;
  });

const v3Body = ({ address, network }: HistoryAccount, limit: number, cursor: object): object => ({
  account: { tonAddress: address, solanaAddress: '' },
  network,
  cursor,
  limit,
});

/** The pages of the app are full when they lack two rows at most. */
const APP_SLACK = 2;

export const HISTORY_FORMS: readonly HistoryForm[] = [
  {
    name: 'GET /transactions/{address}',
    read: (account, limit) =>
      toTheEnd(limit, async cursor => {
        const { url, address } = account;
        const { transactions } = await ask(`${url}/transactions/${address}?${query(account, limit, cursor)}`);
        return { rows: transactions };
      }),
  },
  {
    name: 'POST /transactions/{address}',
    read: ({ url, address, network }, limit) =>
      toTheEnd(limit, async cursor => {
        const { transactions } = await ask(`${url}/transactions/${address}`, { network, limit, ...cursor });
        return { rows: transactions };
      }),
  },
  {
    name: 'GET /transactions/v2/{address}',
    read: (account, limit) =>
      toTheEnd(limit, async cursor => {
        const { url, address } = account;
        const page = await ask(`${url}/transactions/v2/${address}?${query(account, limit, cursor)}`);
        return { rows: ton(page.data), hasMore: page.hasMore };
      }),
  },
  {
    name: 'POST /transactions/v2/{address}',
    read: ({ url, address, network }, limit) =>
      toTheEnd(limit, async cursor => {
        const body = { network, limit, cursor: cursor ? { ton: cursor } : {} };
        const page = await ask(`${url}/transactions/v2/${address}`, body);
        if (page.hasMore) expect(page.cursor.ton).toEqual(cursorOf(page.data.at(-1).data));
        return { rows: ton(page.data), hasMore: page.hasMore };
      }),
  },
  {
    name: 'POST /transactions/v3, by the cursor of its answers',
    async read(account, limit) {
      let next: object = {};
      return toTheEnd(limit, async () => {
        const page = await ask(`${account.url}/transactions/v3`, v3Body(account, limit, next));
        next = page.cursor;
        return { rows: ton(page.data), hasMore: page.hasMore };
      });
    },
  },
  {
    name: 'POST /transactions/v3, as the wallet app pages',
    async read(account, limit) {
      const all = new Map<string, Json>();
      let cursor: object = {};
      for (let pages = 0; pages < MAX_PAGES; pages++) {
        const { data } = await ask(`${account.url}/transactions/v3`, v3Body(account, limit, cursor));
        const rows = ton(data);
        const known = all.size;
        for (const row of rows) all.set(`${row.lt}/${row.hash}`, row);
        if (rows.length < limit - APP_SLACK || all.size === known) return [...all.values()];
        cursor = { ton: cursorOf(rows.at(-1)) };
      }
      throw new Error('the paging does not end');
    },
  },
];

/** Reads actions to the end of the paging. The cursor is exclusive. */
export async function readActions(
  { url, address, network }: HistoryAccount,
  limit: number,
  since?: string,
): Promise<{ actions: Json[]; complete: boolean }> {
  const actions: Json[] = [];
  let complete = true;
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const parameters: Record<string, string> = { network, limit: String(limit) };
    if (cursor !== null) parameters.cursor = cursor;
    if (since !== undefined) parameters.since = since;
    const page = await ask(`${url}/actions/${address}?${new URLSearchParams(parameters).toString()}`);
    expect(page.actions.length).toBeLessThanOrEqual(limit);
    actions.push(...page.actions);
    complete &&= page.complete;
    ({ cursor } = page);
    if (cursor === null) return { actions, complete };
  }
  throw new Error('the paging does not end');
}
