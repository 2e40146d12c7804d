import { setMaxListeners } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTonDevnet, type TonDevnet } from '../../../infra/devnet/ton/devnet';
import { readConfig } from '../../../infra/program/config';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { createLogger } from '../../../infra/program/logger';
import { inOrder } from '../../../indexers/ton/in-order';
import { createTonIndexer } from '../../../indexers/ton/indexer';
import { byAccount, loadBlock } from '../../../indexers/ton/load';
import type { TonSource } from '../../../indexers/ton/source/port';
import { createV4Source } from '../../../indexers/ton/source/v4';
import { figure, paired } from '../figure';
import { interleave, rate } from '../interleave';
import type { Row } from '../row';

const NETWORK = 'testnet';
/** Two transfers of the faucet: while one block is made, the next one fills up. */
const ACCOUNTS = 510;
const GIFT = 1_000_000n;
/** Blocks in hand at a time, as the tail has them. */
const WINDOW = 16;

const logger = createLogger('fatal');
const { signal } = new AbortController();
setMaxListeners(0, signal);

/** Fills blocks with transfers, of which each makes a transaction of its receiver. */
async function transact(devnet: TonDevnet, gifts: number): Promise<void> {
  const receive = async (account: number): Promise<void> => {
    const address = `0:${account.toString(16).padStart(64, account % 2 ? 'f' : '0')}`;
    for (let n = 0; n < gifts; n++) await devnet.faucet(address, GIFT);
  };
  await Promise.all(Array.from({ length: ACCOUNTS }, (_, account) => receive(account + 1)));
}

/** Fetches blocks and decodes what they list, and does nothing with it. Answers how many transactions. */
async function fetched(source: TonSource, from: number, to: number): Promise<number> {
  const seqnos = Array.from({ length: to - from }, (_, i) => from + 1 + i);
  const blocks = inOrder(seqnos, WINDOW, async seqno => (await source.block(seqno, signal))!);
  const loaded = inOrder(blocks, WINDOW, block =>
    loadBlock(source, NETWORK, block, byAccount(block), signal),
  );
  let transactions = 0;
  for await (const letters of loaded) for (const { length } of letters.values()) transactions += length;
  return transactions;
}

/**
 * The tail of a local TON network through its v4 API, every account of it followed, from a first block to the tip:
 * fetched, decoded, checked for gaps, on the log and with the cursor moved. The floor fetches and decodes the same
 * pages. Network and indexer share the cores, the network in a thread of its own.
 */
export const row: Row = async ({ quick, folder, say }) => {
  const devnet = await startTonDevnet({
    network: NETWORK,
    dataDir: join(folder, 'chain'),
    host: '127.0.0.1',
    blockIntervalMs: 60_000,
    logger,
  });
  const source = createV4Source({ endpoints: [devnet.url] });
  const from = await source.tip(signal);
  const gifts = quick ? 4 : 12;
  say(`making ${gifts * ACCOUNTS} transactions`);
  await transact(devnet, gifts);
  await devnet.simulation.pause();
  const to = await source.tip(signal);
  const transactions = await fetched(source, from, to);
  if (transactions < gifts * ACCOUNTS) throw new Error(`the network lists ${transactions} transactions only`);
  say(`${transactions} transactions in ${to - from} blocks`);

  const tail = async (round: number): Promise<number> => {
    const dataDir = join(folder, `round-${round}`);
    mkdirSync(dataDir);
    const { close, ...engines } = openEmbeddedEngines(readConfig({ DATA_DIR: dataDir }));
    let published = 0;
    const indexer = createTonIndexer({
      ...engines,
      network: NETWORK,
      source,
      logger,
      metrics: {
        published: count => (published += count),
        deadLetters: count => {
          if (count > 0) throw new Error(`${count} transactions could not be decoded`);
        },
      },
      scope: 'all',
      startAfter: from,
    });
    const stop = new AbortController();
    let running = Promise.resolve();
    const perSecond = await rate(transactions, async () => {
      running = indexer.run(stop.signal);
      while ((indexer.status().frontier ?? 0) < to) await Promise.race([sleep(2), running]);
    });
    stop.abort();
    await running.catch(() => undefined);
    await close();
    if (published < transactions) throw new Error(`${published} of ${transactions} were published`);
    return perSecond;
  };
  const { indexed, floor } = await interleave(quick ? 2 : 6, {
    indexed: tail,
    floor: () => rate(transactions, () => fetched(source, from, to)),
  });
  await source.close();
  await devnet.close();
  return [
    figure({ what: 'TON tail: to fetching and decoding', unit: 'tx/s' }, paired(indexed, floor), {
      of: 'value',
      atLeast: 900,
    }),
  ];
};
