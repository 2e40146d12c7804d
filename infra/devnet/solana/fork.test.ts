import { Keypair } from '@solana/web3.js';
import { devnetForTests, funded, sendSol, SOL } from '../../../test/devnet/solana';
import '../../../test/starts-programs';
import { until } from '../../../test/until';

const network = devnetForTests({ confirmedAfter: 1, finalizedAfter: 8 });
const versions = { maxSupportedTransactionVersion: 0 };

/** One transfer per block, from an account funded in a finalized block. */
const history = async (transfers: number) => {
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  await network.devnet.hooks.advance(12);
  const signatures: string[] = [];
  for (let count = 0; count < transfers; count += 1) {
    signatures.push(await sendSol(network.connection(), from, to, SOL + count));
    await network.devnet.hooks.advance(1);
  }
  return { from, to, signatures };
};

it('drops confirmed blocks with their changes, and continues with another history', async () => {
  const connection = network.connection('confirmed');
  const { to, signatures } = await history(4);
  const before = await connection.getSlot();
  const lost = (await connection.getBlock(before, versions))!;
  const fork = await network.devnet.hooks.fork({ blocks: 2 });

  expect(fork.droppedSlots).toEqual([before - 1, before, before + 1]);
  expect(fork.sharedSlot).toBe(before - 2);
  expect(fork.droppedSignatures).toEqual(signatures.slice(2));
  expect(await connection.getSlot()).toBe(before - 2);
  expect(await network.connection('processed').getBalance(to.publicKey)).toBe(2 * SOL + 1);
  const { value } = await connection.getSignatureStatuses(signatures, { searchTransactionHistory: true });
  expect(value.map(status => status === null)).toEqual([false, false, true, true]);
  expect(await connection.getTransaction(signatures[3]!, versions)).toBeNull();
  const listed = await connection.getSignaturesForAddress(to.publicKey);
  expect(listed.map(({ signature }) => signature)).toEqual([signatures[1], signatures[0]]);

  await network.devnet.hooks.advance(1);
  const tip = await connection.getSlot();
  const block = (await connection.getBlock(tip, versions))!;
  expect(block.parentSlot).toBe(before - 2);
  expect(block.previousBlockhash).not.toBe(lost.previousBlockhash);
  expect((await connection.isBlockhashValid(lost.blockhash)).value).toBe(false);
  expect(await connection.getBlocks(before - 3, tip)).toEqual([before - 3, before - 2, tip]);
});

it('replays dropped transactions on request, in new slots', async () => {
  const connection = network.connection('confirmed');
  const { to, signatures } = await history(3);
  const newest = await connection.getSlot('processed');
  const { droppedSignatures } = await network.devnet.hooks.fork({ blocks: 2, replay: true });
  expect(droppedSignatures).toEqual(signatures.slice(1));
  await network.devnet.hooks.advance(10);
  const listed = await connection.getSignaturesForAddress(to.publicKey);
  expect(listed.map(({ signature }) => signature).sort()).toEqual([...signatures].sort());
  expect(listed.filter(({ slot }) => slot > newest)).toHaveLength(2);
});

it('notifies subscribers of what a fork undid, at the commitments that had seen it', async () => {
  const { to } = await history(1);
  const [processed, confirmed] = [network.connection('processed'), network.connection('confirmed')];
  const seen: string[] = [];
  const slots: [slot: number, parent: number][] = [];
  const subscribe = (connection: typeof processed, name: string) =>
    connection.onAccountChange(to.publicKey, ({ lamports }) => void seen.push(`${name} ${lamports / SOL}`));
  subscribe(processed, 'processed');
  subscribe(confirmed, 'confirmed');
  processed.onSlotChange(({ slot, parent }) => void slots.push([slot, parent]));
  while (slots.length === 0) await network.devnet.hooks.advance(1);
  const from = await funded(network.devnet);
  await sendSol(processed, from, to, SOL);
  await network.devnet.hooks.advance(1);
  await until(() => seen.length >= 2);
  await sendSol(processed, from, to, 2 * SOL); // in the open block: not confirmed
  const { sharedSlot } = await network.devnet.hooks.fork({ blocks: 1 });
  await until(() => seen.length >= 5);
  expect(seen.slice(0, 2).sort()).toEqual(['confirmed 2', 'processed 2']);
  expect(seen.slice(2).sort()).toEqual(['confirmed 1', 'processed 1', 'processed 4']);
  await until(() => slots.at(-1)![1] === sharedSlot);
});

it('does not drop finalized blocks', async () => {
  const connection = network.connection('finalized');
  await history(1);
  const final = await connection.getSlot();
  const hash = (await connection.getBlock(final, versions))!.blockhash;
  await expect(network.devnet.hooks.fork({ blocks: 8 })).rejects.toThrow(/only 7 are not finalized yet/);
  await network.devnet.hooks.fork({ blocks: 7 });
  expect(await connection.getSlot()).toBe(final);
  expect((await connection.getBlock(final, versions))!.blockhash).toBe(hash);
  await network.devnet.hooks.advance(9);
  expect(await connection.getSlot()).toBeGreaterThan(final);
});
