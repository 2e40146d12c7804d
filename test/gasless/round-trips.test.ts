import { localWallet } from '../../infra/devnet/ton/wallets';
import { silent } from '../devnet/ton';
import { openEmulatorThreads } from '../../infra/engines/ton-emulator/emulator-threads';
import { createTonEmulator } from '../../infra/engines/ton-emulator/ton-emulator';
import type { TonClient } from '../../contracts/ports/ton-client';
import { startLocalRelay, type LocalRelay } from './local-relay';
import { post, quoteFor, signedCarrier, testRelayer } from './relayer';

let local: LocalRelay;
beforeAll(async () => void (local = await startLocalRelay()));
afterAll(() => local.close());

/** Counts how often somebody waits for the network, however much is asked for at the same time. What was read before is cached. */
function counted(client: TonClient) {
  const asked = new Set<string>();
  let [running, waits] = [0, 0];
  const count =
    <Parameters extends readonly unknown[], Result>(
      name: string,
      call: (...parameters: Parameters) => Promise<Result>,
    ) =>
    async (...parameters: Parameters): Promise<Result> => {
      const key = `${name} ${parameters.map(String).join()}`;
      if (asked.has(key) && name !== 'getLastBlock') return call(...parameters);
      asked.add(key);
      if (running === 0) waits += 1;
      running += 1;
      try {
        // All that is asked for at once is asked for before the first answer.
        await new Promise(resolve => setTimeout(resolve, 20));
        return await call(...parameters);
      } finally {
        running -= 1;
      }
    };
  const jettonWallet = count('getJettonWallet', (master: string, owner: string) =>
    client.getJettonWallet(master, owner),
  );
  return {
    client: {
      ...client,
      getLastBlock: count('getLastBlock', () => client.getLastBlock()),
      getAccount: count('getAccount', (...given: Parameters<TonClient['getAccount']>) =>
        client.getAccount(...given),
      ),
      // Cached whatever the block.
      getJettonWallet: (master, owner) => jettonWallet(master, owner),
      runMethod: count('runMethod', (...given: Parameters<TonClient['runMethod']>) =>
        client.runMethod(...given),
      ),
    } satisfies TonClient,
    waits: () => waits,
  };
}

it('waits for a distant node a few times, and not for each account', async () => {
  const { client, waits } = counted(local.client);
  const threads = openEmulatorThreads(silent);
  const emulator = createTonEmulator({ client, threads, now: Date.now });
  const test = testRelayer({ ...local, client, emulator });
  const to = localWallet('receiver', 'v4r2', 'testnet').contract.address;
  // What a program reads once: the code with which the jetton was listed.
  await quoteFor(test, local, { to, amount: 1n });
  await local.devnet.simulation.produceBlock();
  const before = waits();
  const quote = await quoteFor(test, local, { to, amount: 1_000n });
  const ofEstimate = waits() - before;
  const boc = await signedCarrier(quote, { wallet: local.user, seqno: 0 });
  await local.devnet.simulation.produceBlock();
  expect(await post(test, boc, local.user)).toBeNull();
  // The block; the wallet; its balance; the relay wallet; all accounts of the emulation. Of a send, the second to fourth at once.
  expect(ofEstimate).toBeLessThanOrEqual(5);
  expect(waits() - before - ofEstimate).toBeLessThanOrEqual(3);
  await test.close();
  await threads.close();
});
