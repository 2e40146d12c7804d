import type { Keypair } from '@solana/web3.js';
import { PublicKey, SystemProgram } from '@solana/web3.js';
import { card } from '../../infra/program/features/card';
import { cardAccounts } from '../../infra/program/features/card/accounts';
import { ton } from '../../infra/program/features/ton';
import { watchOf } from '../../infra/program/features/watch/account-watch';
import { openedAccount } from '../card/top-ups';
import { until } from '../until';
import { startLocalNetwork, type LocalNetwork } from './local-network';
import { startProgram, type Program } from './program';
import '../starts-programs';

let network: LocalNetwork;
let program: Program;
let alice: Keypair;

beforeAll(async () => {
  network = await startLocalNetwork({ slotMs: 50, finalizedAfter: 20 });
  alice = await network.rich();
  program = await startProgram(network, {
    features: [card, cardAccounts, ton],
    settings: { CARD_SANDBOX: 'true' },
  });
});
afterAll(async () => {
  await program?.stop();
  await network?.close();
});

it('an account is topped up by what its address receives, when its block is final, each transfer once', async () => {
  const { deposit, posted, account } = await openedAccount(program.deps, 'mainnet', {
    chain: 'solana',
    address: alice.publicKey.toBase58(),
  });
  // What was paid before anybody has read the account counts as well.
  const pay = (lamports: number) =>
    network.send(
      [
        SystemProgram.transfer({
          fromPubkey: alice.publicKey,
          toPubkey: new PublicKey(deposit),
          lamports,
        }),
      ],
      [alice],
    );
  await pay(1_000_000_001);
  await watchOf(program.deps)({ chain: 'solana', network: 'mainnet', address: deposit });
  await posted('1000000001');
  await pay(2_000_000);
  await posted('1002000001');
  await until(async () => (await account()).hasBeenDepositedOnce);
});
