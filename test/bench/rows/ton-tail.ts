import { setMaxListeners } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeTonMessage } from '../../../contracts/chain/ton';
import { startTonDevnet, type TonDevnet } from '../../../infra/devnet/ton/devnet';
import { readConfig } from '../../../infra/program/settings/config';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { createTonClient } from '../../../infra/engines/ton-client/ton-client';
import { createLogger } from '../../../infra/config/logger';
import { concurrentMap } from '../../../indexers/concurrent-map';
import { createTonIndexer } from '../../../indexers/ton/indexer';
import { fetchRecords, groupByAccount } from '../../../indexers/ton/block-transactions';
import { createContractVerifier, type VerifyContracts } from '../../../indexers/ton/verify-contracts';
import type { LogRecord } from '../../../indexers/ton/records';
import type { TonSource } from '../../../indexers/ton/source';
import { createV4Source } from '../../../indexers/ton/v4-source/v4-source';
import { figure, once, paired } from '../figure';
import { interleave, rate } from '../interleave';
import type { Row } from '../row';

const NETWORK = 'testnet';
const AMOUNT = 1_000_000n;
/** Blocks read at a time, as by the tail. */
const CONCURRENCY = 16;

const logger = createLogger('fatal');
const { signal } = new AbortController();
setMaxListeners(0, signal);

/** Fills blocks with transfers, each of which causes a transaction of its receiver. */
async function transact(devnet: TonDevnet, accounts: number, transfers: number): Promise<void> {
  const receive = async (account: number): Promise<void> => {
    const address = `0:${account.toString(16).padStart(64, account % 2 ? 'f' : '0')}`;
    for (let n = 0; n < transfers; n++) await devnet.faucet(address, AMOUNT);
  };
  await Promise.all(Array.from({ length: accounts }, (_, account) => receive(account + 1)));
}

/** Fetches blocks and decodes what they list, without publishing. */
async function* fetchedRecords(
  source: TonSource,
  verify: VerifyContracts,
  from: number,
  to: number,
): AsyncGenerator<readonly LogRecord[]> {
  const seqnos = Array.from({ length: to - from }, (_, i) => from + 1 + i);
  const blocks = concurrentMap(seqnos, CONCURRENCY, async seqno => (await source.block(seqno, signal))!);
  const loaded = concurrentMap(blocks, CONCURRENCY, block =>
    fetchRecords({ source, network: NETWORK, verify }, block, groupByAccount(block), signal),
  );
  for await (const records of loaded) yield* records.values();
}

async function countOf(records: AsyncIterable<readonly LogRecord[]>): Promise<number> {
  let transactions = 0;
  for await (const { length } of records) transactions += length;
  return transactions;
}

/** Average bytes of a transaction on the log, and as a BoC. */
async function bytesOf(records: AsyncIterable<readonly LogRecord[]>): Promise<{ log: number; boc: number }> {
  const bytes = { log: 0, boc: 0 };
  let transactions = 0;
  for await (const each of records)
    for (const { message } of each) {
      const decoded = decodeTonMessage(message.value);
      if (decoded.type !== 'transaction') continue;
      transactions++;
      bytes.log += message.value.length;
      bytes.boc += Buffer.byteLength(decoded.raw, 'base64');
    }
  return { log: bytes.log / transactions, boc: bytes.boc / transactions };
}

/**
 * The tail of a local TON network through its v4 API, with every account watched, from a first block to the tip:
 * fetched, decoded, checked for gaps, published, and the cursor stored. The floor fetches and decodes the same pages.
 * Network and indexer share the cores, the network in a thread of its own.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const devnet = await startTonDevnet({
    network: NETWORK,
    dataDir: join(folder, 'chain'),
    host: '127.0.0.1',
    blockIntervalMs: 60_000,
    logger,
  });
  const source = createV4Source({ endpoints: [devnet.url] });
  // As the program does, the tail asks the server for its identity.
  const identity = { check: async () => undefined };
  const identified = createV4Source({ endpoints: [devnet.url], identity });
  const verify = createContractVerifier(
    createTonClient({ urls: [devnet.url], identity, logger, signal }),
    NETWORK,
    [],
  );
  const from = await source.tip(signal);
  // Two transfers of the faucet: while one block is produced, the next one is filled.
  const accounts = sized({ full: 510, quick: 510, smallest: 10 });
  const transfers = sized({ full: 12, quick: 4, smallest: 1 });
  say(`making ${transfers * accounts} transactions`);
  await transact(devnet, accounts, transfers);
  await devnet.simulation.pause();
  const to = await source.tip(signal);
  const records = () => fetchedRecords(source, verify, from, to);
  const transactions = await countOf(records());
  if (transactions < transfers * accounts)
    throw new Error(`the network lists ${transactions} transactions only`);
  say(`${transactions} transactions in ${to - from} blocks`);

  const tail = async (round: number): Promise<number> => {
    const dataDir = join(folder, `round-${round}`);
    mkdirSync(dataDir);
    const { close, ...engines } = openEmbeddedEngines(readConfig({ DATA_DIR: dataDir }));
    let published = 0;
    const indexer = createTonIndexer({
      ...engines,
      network: NETWORK,
      source: identified,
      verify,
      logger,
      metrics: {
        published: count => (published += count),
        deadLettered: count => {
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
      while ((indexer.status().indexedHeight ?? 0) < to) await Promise.race([sleep(2), running]);
    });
    stop.abort();
    await running.catch(() => undefined);
    await close();
    if (published < transactions) throw new Error(`${published} of ${transactions} were published`);
    return perSecond;
  };
  const { indexed, floor } = await interleave(sized({ full: 6, quick: 2, smallest: 1 }), {
    indexed: tail,
    floor: () => rate(transactions, () => countOf(records())),
  });
  const bytes = await bytesOf(records());
  await Promise.all([source.close(), identified.close()]);
  await devnet.close();
  return [
    figure({ what: 'TON tail: to fetching and decoding', unit: 'tx/s' }, paired(indexed, floor), {
      of: 'value',
      atLeast: 900,
    }),
    figure(
      { what: 'TON tail: a transaction on the log, to its BoC', unit: 'bytes' },
      once(bytes.log, bytes.boc),
      { of: 'ratio', atMost: 2 },
    ),
  ];
};
