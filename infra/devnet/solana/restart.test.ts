import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Connection, Keypair, Transaction, SystemProgram } from '@solana/web3.js';
import { pino } from 'pino';
import { manualDevnet, rpc, sendSol, SOL } from '../../../test/devnet/solana';
import { temporaryFolder } from '../../../test/temporary-folder';
import { compiledPath } from '../../engines/compiled-path';
import '../../../test/starts-programs';
import { startSolanaDevnet } from './devnet';

const versions = { maxSupportedTransactionVersion: 0 };

/** Everything a client can read of a chain up to a slot. */
const picture = async (url: string, addresses: readonly Keypair[], upTo: number): Promise<unknown[]> => {
  const connection = new Connection(url, 'confirmed');
  const slots = await connection.getBlocks(0, upTo);
  const blocks = await Promise.all(
    slots.map(slot => rpc(url, 'getBlock', [slot, { ...versions, commitment: 'confirmed' }])),
  );
  const histories = await Promise.all(
    addresses.map(({ publicKey }) => connection.getSignaturesForAddress(publicKey, {}, 'finalized')),
  );
  return [
    await connection.getGenesisHash(),
    slots,
    blocks,
    histories.map(each => each.map(entry => entry.signature)),
  ];
};

it('continues after a restart', async () => {
  const dataDir = temporaryFolder();
  const first = await manualDevnet({ dataDir, skipEvery: 7 });
  const [from, to] = [Keypair.generate(), Keypair.generate()];
  await first.airdrop(from.publicKey.toBase58(), BigInt(10 * SOL));
  for (let count = 0; count < 20; count += 1) {
    await sendSol(new Connection(first.url, 'processed'), from, to, SOL / 10 + count);
    await first.hooks.advance(2);
  }
  const open = await sendSol(new Connection(first.url, 'processed'), from, to, SOL);
  const connectionBefore = new Connection(first.url);
  const slots = {
    processed: await connectionBefore.getSlot('processed'),
    confirmed: await connectionBefore.getSlot('confirmed'),
    finalized: await connectionBefore.getSlot('finalized'),
  };
  const seen = await picture(first.url, [from, to], slots.confirmed);
  const balance = await connectionBefore.getBalance(to.publicKey, 'processed');
  const finalBalance = await connectionBefore.getBalance(to.publicKey, 'finalized');
  await first.close();

  const second = await manualDevnet({ dataDir, skipEvery: 7 });
  const connection = new Connection(second.url);
  for (const commitment of ['processed', 'confirmed', 'finalized'] as const)
    expect(await connection.getSlot(commitment)).toBe(slots[commitment]);
  expect(await picture(second.url, [from, to], slots.confirmed)).toEqual(seen);
  expect(await connection.getBalance(to.publicKey, 'processed')).toBe(balance);
  expect(await connection.getBalance(to.publicKey, 'finalized')).toBe(finalBalance);
  const [status] = (await connection.getSignatureStatuses([open])).value;
  expect(status).toMatchObject({ confirmationStatus: 'processed' });

  await second.hooks.fork({ blocks: 2 });
  expect(await connection.getBalance(to.publicKey, 'processed')).toBeLessThan(balance);
  await sendSol(new Connection(second.url, 'processed'), from, to, SOL);
  await second.close();
});

it('runs beside the other network in one folder', async () => {
  const dataDir = temporaryFolder();
  // Each in a thread of its own, as without a shared one.
  const options = { dataDir, slotMs: 0, skipEvery: 0, logger: pino({ level: 'silent' }) };
  const networks = await Promise.all([
    startSolanaDevnet({ ...options, network: 'mainnet' }),
    startSolanaDevnet({ ...options, network: 'devnet' }),
  ]);
  const receiver = Keypair.generate().publicKey;
  await networks[0].airdrop(receiver.toBase58(), BigInt(SOL));
  const balances = networks.map(({ url }) => new Connection(url, 'processed').getBalance(receiver));
  expect(await Promise.all(balances)).toEqual([SOL, 0]);
  expect(networks[0].genesisHash).not.toBe(networks[1].genesisHash);
  await Promise.all(networks.map(each => each.close()));
  await expect(networks[0].airdrop(receiver.toBase58(), 1n)).rejects.toThrow(/ended/);
});

it('belongs to one process: a second one is rejected', async () => {
  const dataDir = temporaryFolder();
  const first = await manualDevnet({ dataDir });
  await expect(manualDevnet({ dataDir })).rejects.toThrow(/locked|busy/i);
  await first.close();
});

it('reports a port in use', async () => {
  const first = await manualDevnet();
  const port = Number(new URL(first.url).port);
  await expect(manualDevnet({ port })).rejects.toThrow(/EADDRINUSE/);
  await first.close();
});

describe('killed at a random time', () => {
  const start = async (dataDir: string): Promise<{ child: ChildProcess; url: string }> => {
    const program = `
      const { startSolanaDevnet } = require(${JSON.stringify(compiledPath(join(__dirname, 'devnet.ts')))});
      const { pino } = require('pino');
      startSolanaDevnet({ dataDir: ${JSON.stringify(dataDir)}, network: 'mainnet', slotMs: 15, skipEvery: 10,
        logger: pino({ level: 'silent' }) }).then(({ url }) => process.stdout.write(url + '\\n'));`;
    const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = (await once(createInterface(child.stdout!), 'line')) as [string];
    return { child, url };
  };

  const kill = async (child: ChildProcess): Promise<void> => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };

  it('has every acknowledged transaction once, and the same blocks', async () => {
    const dataDir = temporaryFolder();
    const [from, to] = [Keypair.generate(), Keypair.generate()];
    const acknowledged: string[] = [];
    let amount = SOL / 1000;
    let seen: { readonly upTo: number; readonly picture: unknown[] } | null = null;
    for (let round = 0; round < 3; round += 1) {
      const { child, url } = await start(dataDir);
      const connection = new Connection(url, 'processed');
      if (seen) expect(await picture(url, [], seen.upTo)).toEqual(seen.picture);
      const { value } = await connection.getSignatureStatuses(acknowledged, {
        searchTransactionHistory: true,
      });
      expect(value.every(status => status?.err === null)).toBe(true);
      const received = await connection.getBalance(to.publicKey);
      const expected =
        acknowledged.length * (SOL / 1000) + (acknowledged.length * (acknowledged.length - 1)) / 2;
      expect(received).toBe(expected);

      const airdrop = await connection.requestAirdrop(from.publicKey, 10 * SOL);
      expect((await connection.getSignatureStatus(airdrop)).value?.err).toBeNull();
      const { blockhash } = await connection.getLatestBlockhash();
      for (let count = 0; count < 12; count += 1) {
        const transaction = new Transaction({ feePayer: from.publicKey, recentBlockhash: blockhash });
        transaction.add(
          SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports: amount }),
        );
        transaction.sign(from);
        acknowledged.push(await connection.sendRawTransaction(transaction.serialize()));
        amount += 1;
      }
      const upTo = await connection.getSlot('confirmed');
      seen = { upTo, picture: await picture(url, [], upTo) };
      await kill(child);
    }
  });
});
