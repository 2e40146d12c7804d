import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Address, toNano } from '@ton/core';
import { LEDGER_ANCHOR_CATEGORY, ledgerAnchorEvents } from '../../contracts/events/ledger-anchor';
import { anchorComment, type Anchor } from '../../contracts/ledger-tree/anchor';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { compiledPath } from '../../infra/engines/compiled-path';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { anchorCommand } from '../../infra/program/features/ledger-tree/anchor-command';
import { readConfig } from '../../infra/program/settings/config';
import { runCommand } from '../command-line';
import { clientOf, quietDevnet } from '../devnet/ton';
import { NETWORKS_OFF } from '../local-networks';
import { randomFrom, scaled, SEED } from '../random';
import '../starts-programs';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { anchoringSettings } from './anchor-program';
import { report } from './report';

const KILLS = scaled(2);
/** A message is sent and found on the chain in about as long. */
const MAX_UPTIME_MS = 1_500;

const folder = temporaryFolder();
const random = randomFrom(SEED);
const program = compiledPath('test/crash/anchor-program.ts');
let devnet: TonDevnet;
beforeAll(async () => void (devnet = await quietDevnet()));
afterAll(() => devnet.close());

const tidemark = (...words: string[]): Promise<string> => {
  const settings = {
    ...NETWORKS_OFF,
    ...anchoringSettings(devnet.url),
    DATA_DIR: folder,
    LOG_LEVEL: 'fatal',
  };
  return runCommand([anchorCommand], () => readConfig(settings), ['--json', 'anchor', ...words]);
};

interface Running {
  readonly told: readonly string[];
  kill(): Promise<void>;
}

let starts = 0;
async function start(): Promise<Running> {
  const child: ChildProcess = fork(program, [devnet.url, folder, String((starts += 1))]);
  const told: string[] = [];
  child.on('message', message => told.push(String(message)));
  await until(() => {
    if (child.exitCode !== null) throw new Error('the program has ended');
    return told.includes('ready');
  });
  return {
    told,
    async kill() {
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      expect(await ended).toEqual([null, 'SIGKILL']);
    },
  };
}

/** The texts of all messages that the wallet has sent, oldest first, each with the hash of its transaction. */
async function sentBy(account: string): Promise<{ text: string; hash: string }[]> {
  const client = clientOf(devnet.url);
  const address = Address.parseRaw(account);
  const { last } = await client.getLastBlock();
  const { account: found } = await client.getAccount(last.seqno, address);
  let [lt, hash] = [BigInt(found.last!.lt), Buffer.from(found.last!.hash, 'base64')];
  const sent = [];
  while (lt !== 0n)
    for (const { tx } of await client.getAccountTransactions(address, lt, hash)) {
      for (const { info, body } of tx.outMessages.values())
        if (info.type === 'internal')
          sent.push({ text: body.beginParse().skip(32).loadStringTail(), hash: tx.hash().toString('hex') });
      lt = tx.prevTransactionLt;
      hash = Buffer.from(tx.prevTransactionHash.toString(16).padStart(64, '0'), 'hex');
    }
  return sent.reverse();
}

async function types(): Promise<string[]> {
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  try {
    const found: string[] = [];
    for await (const batch of store.readAll({ categories: [LEDGER_ANCHOR_CATEGORY] }))
      found.push(...batch.map(recorded => ledgerAnchorEvents.read(recorded).type));
    return found;
  } finally {
    await store.close();
  }
}

test(`each head is anchored once when the program is killed ${KILLS} times, and the commands show those that were`, async () => {
  const { account } = JSON.parse(await tidemark('wallet')) as { account: string };
  await devnet.faucet(account, toNano(50));
  for (let kills = 0; kills < KILLS; kills++) {
    const running = await start();
    await until(() => running.told.includes('signed'));
    // While it is sent or looked for, or after that.
    await sleep(random() * MAX_UPTIME_MS);
    await running.kill();
  }
  const last = await start();
  await until(() => last.told.includes('asked again'), undefined, 300_000);
  await last.kill();

  const sent = await sentBy(account);
  const listed = (await tidemark('list'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { events: number; transaction: string })
    .reverse();
  expect(listed.map(({ transaction }) => transaction)).toEqual(sent.map(({ hash }) => hash));
  expect(new Set(sent.map(({ text }) => text)).size).toBe(sent.length);
  const sizes = listed.map(({ events }) => events);
  expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b));

  for (const [place, { events }] of listed.entries()) {
    const anchor = JSON.parse(await tidemark('export', '--events', String(events))) as Anchor;
    expect(anchorComment(anchor.checkpoint)).toBe(sent[place]!.text);
    expect(anchor.transaction).toMatchObject({ account, hash: sent[place]!.hash });
  }
  expect((await types()).filter(type => type === 'LedgerAnchorFailed')).toEqual([]);
  report([
    ['times killed', KILLS + 1],
    ['heads anchored', listed.length],
  ]);
});
