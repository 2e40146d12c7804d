import { Keypair } from '@solana/web3.js';
import { devnetForTests, SOL } from '../../../test/devnet/solana';
import { until } from '../../../test/until';

const network = devnetForTests({ slotMs: 20, quietSlotMs: 60_000 });

it('has slots for as long as a transaction is not final, and then few', async () => {
  const connection = network.connection();
  expect(await connection.getSlot()).toBeLessThan(3);
  const receiver = Keypair.generate().publicKey;
  const signature = await connection.requestAirdrop(receiver, SOL);
  const statusOf = async () => (await connection.getSignatureStatus(signature)).value?.confirmationStatus;
  await until(statusOf, status => status === 'finalized');

  const slot = await connection.getSlot();
  // As long as fifty slots take.
  await new Promise(resolve => setTimeout(resolve, 1_000));
  expect((await connection.getSlot()) - slot).toBeLessThan(3);
});
