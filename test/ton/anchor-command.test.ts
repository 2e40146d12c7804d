import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import type { Anchor } from '../../contracts/ledger-tree/anchor';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { compiledPath } from '../../infra/engines/compiled-path';
import { createHandle } from '../../services/commands/handle';
import { ledgerAnchorKind } from '../../services/ledger-tree/anchor/decider';
import * as example from '../proofs/example-files';
import { ledgerAnchorStream } from '../../contracts/events/ledger-anchor';
import type { Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { anchorCommand } from '../../infra/program/features/ledger-tree/anchor-command';
import { exportCommand } from '../../infra/program/features/ledger-tree/export-command';
import { openInstance, type TestInstance } from '../billing/instance';
import { runCommand } from '../command-line';
import { quietDevnet } from '../devnet/ton';
import { writeJson } from '../proofs/exported-ledger';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';

const folder = temporaryFolder();
let devnet: TonDevnet;
let instance: TestInstance;

beforeAll(async () => {
  devnet = await quietDevnet();
  // The port of the local testnet is the one after that of the mainnet.
  const port = Number(new URL(devnet.url).port) - 1;
  instance = await openInstance({
    roles: ['api', 'projections', 'jobs'],
    settings: { TON_RPC_URL_TESTNET: 'local', LOCAL_NETWORK_PORT: String(port) },
  });
});
afterAll(async () => {
  await instance.close();
  await devnet.close();
});

const tidemark = (...words: string[]): Promise<string> =>
  runCommand([anchorCommand, exportCommand], () => instance.config, words);

function verify(...args: string[]): { status: number | null; out: string } {
  const program = compiledPath('infra/verifier/main.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    env: {},
    encoding: 'utf8',
  });
  return { status, out: stdout + stderr };
}

const linesOf = (json: string): Record<string, unknown>[] =>
  json
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>);

/** Of a network that is not its own, with a wallet that its operator has sent coins. */
async function onRealNetwork(
  settings: Record<string, string>,
  use: (
    run: (...words: string[]) => Promise<string>,
    account: string,
    record: (fee: string) => Promise<unknown>,
  ) => Promise<void>,
): Promise<void> {
  const other = await openInstance({
    roles: ['api', 'projections', 'jobs'],
    settings: { TON_RPC_URL_TESTNET: devnet.url, LEDGER_ANCHOR_NETWORK: 'testnet', ...settings },
  });
  try {
    const run = (...words: string[]): Promise<string> =>
      runCommand([anchorCommand, exportCommand], () => other.config, words);
    const { account } = JSON.parse(await run('--json', 'anchor', 'wallet')) as { account: string };
    await devnet.faucet(account, 1_000_000_000n);
    await other.record([{ id: 'first' }]);
    await use(run, account, fee => other.record([{ id: fee }]));
  } finally {
    await other.close();
  }
}

it('proves up to the transaction where no source of blocks is named, and says so', () =>
  onRealNetwork({}, async (run, account) => {
    expect(await run('anchor', 'now')).toBe(
      'anchored: the head of 1 event, proven up to the level transaction\nnot further: LEDGER_ANCHOR_BLOCKS_URL names no source of blocks\n',
    );
    await expect(run('anchor', 'now', '--level', 'block')).rejects.toThrow(
      'nothing is proven up to the level block: LEDGER_ANCHOR_BLOCKS_URL names no source of blocks',
    );
    const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const file = writeJson(
      join(folder, 'transaction.json'),
      JSON.parse(await run('anchor', 'export')) as Anchor,
    );
    expect(String(written.mock.lastCall)).toBe(
      'proven up to the level transaction, not up to the masterchain: LEDGER_ANCHOR_BLOCKS_URL names no source of blocks\n',
    );
    written.mockRestore();
    await expect(run('anchor', 'export', '--level', 'block')).rejects.toThrow(
      'no anchor is proven up to the level block: LEDGER_ANCHOR_BLOCKS_URL names no source of blocks',
    );
    const ledger = join(folder, 'other.ndjson');
    await run('export', '--output', ledger);
    const { out, status } = verify(ledger, '--anchor', file, '--anchor-account', account);
    expect(out).toContain(
      'proven to the transaction itself; not proven: that the network has this transaction',
    );
    expect(out).toContain('its signature was not checked: use --keys');
    expect(status).toBe(0);
  }));

it('proves up to the masterchain by a source of blocks, also later, and what others have followed, when it was down', async () => {
  let isDown = true;
  const source = createServer((request, response) => {
    if (isDown) response.writeHead(401).end();
    else
      void fetch(devnet.url + request.url!).then(async given => {
        response.writeHead(given.status).end(await given.text());
      });
  }).listen(0, '127.0.0.1');
  await once(source, 'listening');
  const url = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
  await onRealNetwork({ LEDGER_ANCHOR_BLOCKS_URL: url }, async (run, account, record) => {
    const levels = async (): Promise<string[]> =>
      linesOf(await run('--json', 'anchor', 'list')).map(({ level }) => String(level));
    expect(await run('anchor', 'now')).toBe(
      'anchored: the head of 1 event, proven up to the level transaction\nit is proven further later: `tidemark anchor now --level masterchain` waits for that\n',
    );
    await record('second');
    expect(JSON.parse(await run('--json', 'anchor', 'now'))).toMatchObject({
      size: 2,
      level: 'transaction',
      transaction: { account },
    });
    await expect(run('anchor', 'export', '--level', 'masterchain')).rejects.toThrow(
      'the source of blocks has not shown them yet, or has failed',
    );
    expect(await levels()).toEqual(['transaction', 'transaction']);
    isDown = false;
    expect(await run('anchor', 'now', '--level', 'masterchain')).toBe(
      'anchored: the head of 2 events, proven up to the level masterchain\n',
    );
    await until(async () => (await levels()).every(level => level === 'masterchain'));
    const anchor = JSON.parse(await run('anchor', 'export', '--level', 'masterchain')) as Anchor;
    const file = writeJson(join(folder, 'masterchain.json'), anchor);
    const ledger = join(folder, 'proven.ndjson');
    await run('export', '--output', ledger);
    const { out, status } = verify(ledger, '--anchor', file, '--anchor-account', account);
    expect(out).toMatch(/^proven to the block of the masterchain \d+/m);
    expect(status).toBe(0);
  });
  source.closeAllConnections();
  source.close();
});

it('anchors the ledger of a running program, and the export is verified with what it writes', async () => {
  await expect(tidemark('anchor', 'export')).rejects.toThrow('no head of the ledger was anchored yet');
  await instance.record([{ id: 'first' }, { id: 'second' }]);
  expect(await tidemark('anchor', 'now', '--level', 'masterchain')).toBe(
    'anchored: the head of 2 events, proven up to the level masterchain\n',
  );
  const anchor = JSON.parse(await tidemark('anchor', 'export')) as Anchor;
  const { account, hash } = anchor.transaction;
  expect(JSON.parse(await tidemark('--json', 'anchor', 'wallet'))).toMatchObject({
    network: 'testnet',
    account,
  });
  expect(JSON.parse(await tidemark('--json', 'anchor', 'list'))).toMatchObject({
    events: 2,
    level: 'masterchain',
    network: 'TON testnet',
    account,
    transaction: hash,
  });

  await instance.record([{ id: 'third' }]);
  expect(await tidemark('anchor', 'now', '--level', 'block')).toContain('anchored: the head of 3 events, ');
  expect(JSON.parse(await tidemark('anchor', 'export', '--events', '2'))).toEqual(anchor);
  await instance.record([{ id: 'fourth' }]);

  const ledger = join(folder, 'ledger.ndjson');
  await tidemark('export', '--output', ledger);
  const keys = writeJson(join(folder, 'keys.json'), instance.ledgerKeys.published());
  const file = writeJson(join(folder, 'anchor.json'), anchor);
  const of = ['--anchor', file, '--anchor-account', account, '--keys', keys];
  const verified = verify(ledger, ...of);
  expect(verified.out).toContain(
    'verified: the first 2 of 4 events of the instance local are the signed ones\n',
  );
  expect(verified.out).toContain(`anchored: the head of 2 events was sent by ${account} of TON testnet at `);
  expect(verified.out).toMatch(
    /^proven to the block of the masterchain \d+, .*; not proven: that validators/m,
  );
  expect(verified.status).toBe(0);

  const { body } = await instance.act({ action: 'get_revenue', proof: true });
  const answer = writeJson(join(folder, 'answer.json'), body as object);
  const answered = verify('--json', ledger, answer, ...of);
  expect(JSON.parse(answered.out)).toMatchObject({
    outcome: 'verified',
    answerChecked: true,
    anchors: [{ level: 'masterchain', account, hash, checkpoint: anchor.checkpoint }],
  });

  const elsewhere = verify(ledger, '--anchor', file, '--anchor-account', `0:${'1'.repeat(64)}`);
  expect(elsewhere.out).toContain('bad_anchor: ');
  expect(elsewhere.status).toBe(8);
  const forged = { ...anchor, checkpoint: { ...anchor.checkpoint, size: 1 } };
  expect(verify(ledger, '--anchor', writeJson(join(folder, 'forged.json'), forged)).status).toBe(8);
  writeFileSync(join(folder, 'cut.json'), JSON.stringify(anchor).slice(0, -9));
  expect(verify(ledger, '--anchor', join(folder, 'cut.json')).status).toBe(6);
  expect(verify(ledger, '--anchor', '/dev/zero').out).toContain('has more than 1048576 bytes');
  expect(verify(ledger).out).toBe('unusable: give an answer, or --checkpoint or --anchor\n');
  expect(verify(ledger, answer, '--anchor-account', account).out).toBe(
    'unusable: --anchor-account: there is no --anchor\n',
  );
});

it('shows what a fork has taken back as that, and exports another one', async () => {
  const other = await openInstance();
  const run = (...words: string[]): Promise<string> => runCommand([anchorCommand], () => other.config, words);
  const handle = createHandle({ store: other.store });
  const metadata = { now: '2026-11-28T12:00:00.000Z', actor: 'ledger anchor' };
  const account = `0:${'2'.repeat(64)}`;
  const stream = ledgerAnchorStream('testnet', account);
  const of = { network: 'testnet', account, validUntil: 9, message: 'bQ==' } as const;
  const proof = { level: 'transaction', transaction: 'bQ==' } as const;
  const anchor = async (count: number): Promise<void> => {
    const checkpoint = { ...(JSON.parse(example.checkpoint) as Checkpoint), size: 10 * count };
    const message = { ...of, seqno: count, checkpoint };
    await handle(ledgerAnchorKind, stream, { type: 'sign', after: count - 1, message, metadata });
    const where = { transaction: { account, lt: '5', hash: String(count).repeat(64) }, proof };
    await handle(ledgerAnchorKind, stream, { type: 'recordAnchored', count, where, metadata });
  };
  const drop = (count: number) =>
    handle(ledgerAnchorKind, stream, { type: 'recordFailed', count, reason: 'dropped', metadata });
  await anchor(1);
  const first = await run('anchor', 'export');
  await anchor(2);
  expect(await run('anchor', 'export')).not.toBe(first);
  await drop(2);
  expect(linesOf(await run('--json', 'anchor', 'list'))).toMatchObject([
    { takenBack: true, events: 20 },
    { takenBack: false, events: 10 },
  ]);
  expect(await run('anchor', 'list')).toMatch(/ 20 +taken back .*\n.* 10 +transaction /);
  expect(await run('anchor', 'export')).toBe(first);
  await expect(run('anchor', 'export', '--level', 'block')).rejects.toThrow('no anchor is proven up to');
  await anchor(3);
  await drop(3);
  expect(await run('anchor', 'export')).toBe(first);
  await other.close();
});
