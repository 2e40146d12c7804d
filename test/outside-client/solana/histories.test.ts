import { installation } from '../../e2e/installation';
import { until } from '../../until';
import { AccountStream } from './account-stream';
import { Backend } from './backend';
import { Chain } from './chain';
import { compareWithNode } from './compare';
import { KINDS } from './kinds/kinds';
import { nativeTransfer, transferToNewAddress, transferWithMemo } from './kinds/native';
import { transferTokens } from './kinds/tokens';
import { localNetwork } from './local-network';
import { SolanaNode } from './node';
import { createParties, walletsOf, type Parties } from './parties';
import { ChainTruth } from './truth';
import { LOCAL_MAINNETS } from '../../local-networks';

/*
 * A wallet made of published libraries, HTTP and WebSockets sends every kind of transaction, and compares everything that
 * the running program says of them with the node.
 */

const main = installation({ settings: LOCAL_MAINNETS });
let backend: Backend;
let node: SolanaNode;
let chain: Chain;
let parties: Parties;
let streams: AccountStream[];

beforeAll(async () => {
  const network = await localNetwork(main.program.url);
  backend = new Backend(main.program.url);
  node = new SolanaNode(network.endpoint);
  chain = new Chain(network, await import('@solana/spl-token'));
  parties = await createParties(chain);
});
afterAll(() => streams?.forEach(stream => stream.close()));

const control = (action: 'fork' | 'skip', body: object) =>
  backend.post<{ droppedSignatures: string[] }>(`/devnet/solana/${action}`, { network: 'mainnet', ...body });

it('announces each change of a history, once the history includes it', async () => {
  const accounts = walletsOf(parties);
  await node.untilFinal();
  for (const address of accounts.flatMap(({ owner, usdc }) => [owner, usdc])) {
    const listed = await node.signatures(address);
    await until(
      () => backend.allTransactions({ address, limit: 100 }),
      rows => rows.length === listed.length,
    );
  }
  streams = await Promise.all(accounts.map(wallet => AccountStream.open(backend, wallet)));
  const slots: number[] = [];
  for (const kind of [nativeTransfer, transferTokens, transferWithMemo]) {
    await kind(chain, parties);
    const { signature } = chain.sent.at(-1)!;
    const { slot } = (await until(() => node.status(signature)))!;
    for (const stream of streams) await stream.announced(signature);
    slots.push(slot);
    await chain.laterSlot();
  }
  for (const { messages } of streams) {
    // The first one is of what there was before.
    const [before, ...changes] = messages.map(({ slot }) => slot);
    expect(before).toBeLessThan(slots[0]!);
    expect(new Set(changes)).toEqual(new Set(slots));
    // Where tokens move two histories of a wallet change, which may be announced one by one.
    expect([3, 4]).toContain(changes.length);
  }
});

it('has every kind of transaction once, through skipped slots and forks, as the node shows it', async () => {
  for (const [n, kind] of KINDS.entries()) {
    await kind(chain, parties);
    if (n % 10 === 5) expect((await control('skip', { slots: 3 })).status).toBe(200);
  }
  await node.untilFinal();
  for (const transactions of ['drop', 'include'] as const) {
    const { body } = await until(
      async () => {
        for (const kind of [nativeTransfer, transferWithMemo, transferToNewAddress]) {
          await kind(chain, parties);
          await chain.laterSlot();
        }
        return control('fork', { slots: 3, transactions });
      },
      // A machine may be so busy that the blocks are final.
      ({ status }) => status === 200,
    );
    expect(body.droppedSignatures.length).toBeGreaterThan(0);
  }
  const truth = await ChainTruth.read(node, chain.sent);
  await compareWithNode({ backend, truth, wallets: walletsOf(parties), pageSizes: [3] });
});
