import { Client } from 'undici';
import { run, type Child } from '../child';
import { figure, median, once, paired, quantile } from '../figure';
import { unwatchedAddresses } from '../fill/ton-contracts';
import { interleave } from '../interleave';
import { withoutNetworks } from '../ports';
import type { FilledContracts } from '../programs/prepare-contracts';
import type { FixedAnswer } from '../programs/bare-express';
import type { Row } from '../row';

const ROWS_OF_A_PAGE = 32;

interface Page {
  readonly data: readonly { readonly data: { readonly operation: { readonly address: string } } }[];
}

/** One kept-alive connection to a program, on which a wallet sends one request after the other. */
interface Connection {
  readonly process: Child;
  get(path: string): Promise<string>;
  close(): Promise<void>;
}

async function connect(program: string, env: NodeJS.ProcessEnv): Promise<Connection> {
  const child = run(program, [], { env });
  const client = new Client(await child.next<string>());
  return {
    process: child,
    async get(path) {
      const { statusCode, body } = await client.request({ path, method: 'GET' });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`);
      return text;
    },
    async close() {
      await client.close();
      await child.stop();
    },
  };
}

const infoPath = (address: string): string => `/contract/info/${address}`;

/** Milliseconds that `work` takes, the mean of several times. */
async function milliseconds(times: number, work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  for (let n = 0; n < times; n++) await work();
  return (performance.now() - began) / times;
}

/**
 * What a wallet asks for when it shows history: a page, then the contract of each of its rows, one after the other. And
 * contracts that nobody asked for before. The floor is Express with fixed answers of the same bytes.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const [contracts, rounds, times] = sized({
    full: [10_000, 7, 60],
    quick: [1_000, 3, 20],
    smallest: [50, 1, 1],
  });
  const env = {
    ...process.env,
    ...(await withoutNetworks()),
    DATA_DIR: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    // Counted, and never exceeded.
    RATE_LIMIT_ADDRESS: String(10 ** 9),
    RATE_LIMIT_FIRST_READS: String(10 ** 9),
  };
  say(`filling the documents with ${contracts} contracts`);
  const prepared = run('programs/prepare-contracts', [String(contracts)], { env });
  const { address } = await prepared.next<FilledContracts>();
  await prepared.ended();

  const ours = await connect('programs/serve', env);
  const bare = await connect('programs/bare-express', env);
  const pagePath = `/transactions/v2/${address}?limit=${ROWS_OF_A_PAGE}`;
  const text = await ours.get(pagePath);
  const rows = (JSON.parse(text) as Page).data.map(({ data }) => data.operation.address);
  if (rows.length !== ROWS_OF_A_PAGE) throw new Error(`a page of ${rows.length} rows`);
  const info = await ours.get(infoPath(rows[0]!));
  const answers: FixedAnswer[] = [
    { path: '/transactions/v2/:address', json: JSON.parse(text) },
    { path: infoPath(':address'), json: JSON.parse(info) },
  ];
  for (const answer of answers) await bare.process.ask(answer);

  const page = (on: Connection) => on.get(pagePath);
  const both = async (on: Connection): Promise<void> => {
    await page(on);
    for (const of of rows) await on.get(infoPath(of));
  };
  say('reading a page and its contracts');
  for (const on of [ours, bare]) await milliseconds(times * 3, () => both(on));
  const took = await interleave(rounds, {
    page: () => milliseconds(times * ROWS_OF_A_PAGE, () => page(ours)),
    both: () => milliseconds(times, () => both(ours)),
    barePage: () => milliseconds(times * ROWS_OF_A_PAGE, () => page(bare)),
    bareBoth: () => milliseconds(times, () => both(bare)),
  });

  say('reading contracts that nobody asked for before');
  const single = async (on: Connection): Promise<number[]> => {
    const each: number[] = [];
    for (const of of unwatchedAddresses(contracts)) {
      const answer = milliseconds(1, async () => {
        if ((await on.get(infoPath(of))) === 'null') throw new Error(`${of} is not known`);
      });
      each.push(await answer);
    }
    return each;
  };
  const alone = await single(bare);
  const first = await single(ours);
  await Promise.all([ours.close(), bare.close()]);

  const express = paired(took.bareBoth, took.barePage).ratio.toFixed(1);
  return [
    figure(
      {
        what: 'history and its 32 contracts: to the page alone',
        unit: 'ms',
        note: `bare Express: ${express} times its page`,
      },
      paired(took.both, took.page),
      { of: 'ratio', atMost: 1.3 },
    ),
    figure(
      { what: 'history and its 32 contracts: to bare Express', unit: 'ms' },
      paired(took.both, took.bareBoth),
      { of: 'ratio', atMost: 1.33 },
    ),
    figure(
      {
        what: 'contract info, first read: p99, to bare Express',
        unit: 'ms',
        note: `${contracts} contracts, p50 ${median(first).toFixed(2)} to ${median(alone).toFixed(2)} ms`,
      },
      once(quantile(first, 0.99), quantile(alone, 0.99)),
      { of: 'value', atMost: 2 },
    ),
  ];
};
