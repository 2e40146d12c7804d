import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { Address, internal, toNano } from '@ton/core';
import { clientOf, expectUnbrokenChains, quietDevnet } from '../../../test/devnet/ton';
import { temporaryFolder } from '../../../test/temporary-folder';
import { compiledPath } from '../../engines/compiled-path';
import { localWallet, seqnoOf, transfer } from './wallets';
import '../../../test/starts-programs';

const stranger = Address.parseRaw(`0:${'5a'.repeat(32)}`);
const folder = temporaryFolder();

it('continues after a restart with the same blocks, accounts and clock', async () => {
  const dataDir = join(folder, 'closed');
  const wallet = localWallet('restart', 'v5r1', 'testnet');
  const { address } = wallet.contract;
  const first = await quietDevnet({ dataDir });
  const before = clientOf(first.url);
  await first.faucet(address.toString(), toNano(10));
  await transfer(before, wallet, [internal({ to: stranger, value: 1n, bounce: false })]);
  await first.advanceTime(3_600);
  const { last, init, now } = await before.getLastBlock();
  const blocks = await Promise.all([1, 2, 3].map(seqno => before.getBlock(seqno)));
  const account = await before.getAccount(last.seqno, address);
  await first.close();

  const second = await quietDevnet({ dataDir });
  const after = clientOf(second.url);
  const resumed = await after.getLastBlock();
  expect(resumed.last.seqno).toBeGreaterThanOrEqual(last.seqno);
  expect([resumed.init, resumed.now >= now]).toEqual([init, true]);
  expect(await Promise.all([1, 2, 3].map(seqno => after.getBlock(seqno)))).toEqual(blocks);
  expect(await after.getAccount(last.seqno, address)).toEqual(account);
  await transfer(after, wallet, [internal({ to: stranger, value: 1n, bounce: false })]);
  expect(await seqnoOf(after, wallet.contract)).toBe(2);
  await expectUnbrokenChains(after);
  await second.close();
});

interface ChildNode {
  readonly process: ChildProcess;
  readonly url: string;
}

const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

async function startChild(dataDir: string): Promise<ChildNode> {
  const script = `
    const { pino } = require('pino');
    require(process.argv[1])
      .startTonDevnet({
        network: 'testnet', dataDir: process.argv[2], host: '127.0.0.1', blockIntervalMs: 1_000,
        logger: pino({ level: 'silent' }),
      })
      .then(({ url }) => console.log(url));
  `;
  const child = spawn(process.execPath, ['-e', script, compiledPath(join(__dirname, 'devnet.ts')), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { process: child, url };
}

async function kill({ process: child }: ChildNode): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

it('loses nothing it has acknowledged when killed', async () => {
  const dataDir = join(folder, 'killed');
  const acknowledged = new Map<string, string>();
  let seen = { seqno: 0, rootHash: '' };
  let gifts = 0;

  for (let life = 0; life < 2; life++) {
    const node = await startChild(dataDir);
    const client = clientOf(node.url);
    if (seen.seqno > 0) {
      const [masterchain] = (await client.getBlock(seen.seqno)).shards;
      expect(masterchain!.rootHash).toBe(seen.rootHash);
    }
    const give = async (): Promise<void> => {
      const address = `0:6${(++gifts).toString(16).padStart(63, '0')}`;
      const amount = String(gifts);
      const response = await fetch(`${node.url}/faucet`, {
        method: 'POST',
        body: JSON.stringify({ address, amount }),
      });
      if (response.ok) acknowledged.set(address, amount);
    };
    const givers = Array.from({ length: 4 }, async () => {
      for (;;) await give();
    });
    const target = acknowledged.size + 20;
    while (acknowledged.size < target) seen = (await client.getLastBlock()).last;
    await kill(node);
    await Promise.allSettled(givers);
  }

  const node = await startChild(dataDir);
  const client = clientOf(node.url);
  const { last } = await client.getLastBlock();
  for (const [address, amount] of acknowledged) {
    const { account } = await client.getAccountLite(last.seqno, Address.parseRaw(address));
    expect([address, account.balance.coins]).toEqual([address, amount]);
  }
  expect(await expectUnbrokenChains(client)).toBeGreaterThan(acknowledged.size);
  await kill(node);
});
