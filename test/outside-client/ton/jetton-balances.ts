import { Address } from '@ton/core';
import { JettonWallet } from '@ton/ton';
import type { Part } from './scenario';
import type { Truth } from './truth';

type Change = readonly [owner: string, master: string, amount: bigint];

/** What a requested message that is carried out moves; owners and masters are raw addresses. */
function changesOf(sender: string, part: Part): Change[] {
  const { kind, status, receiver, asset, amount, received } = part;
  if (status === 'failed' || asset?.type !== 'jetton' || typeof amount !== 'bigint') return [];
  const to = receiver?.toRawString();
  const changes: Change[] = [];
  if (kind !== 'jetton_mint') changes.push([sender, asset.master, -amount]);
  if (to !== undefined) changes.push([to, asset.master, amount]);
  if (to !== undefined && received?.asset.type === 'jetton') {
    const { master } = received.asset;
    changes.push([sender, master, received.amount], [to, master, -received.amount]);
  }
  return changes;
}

/**
 * Compares what the client expects to have moved with the balances that the node has: so what actions are compared with has
 * happened.
 */
export async function expectJettonBalances(truth: Truth): Promise<void> {
  const { chain, scenario } = truth;
  const expected = new Map<string, bigint>();
  for (const entry of [...chain.accounts.values()].flat())
    for (const { part } of truth.outcomes(entry))
      for (const [owner, master, amount] of changesOf(entry.account, part))
        expected.set(`${owner}/${master}`, (expected.get(`${owner}/${master}`) ?? 0n) + amount);
  expect(expected.size).toBeGreaterThan(1);
  for (const [address, { owner, master }] of scenario.jettonWallets) {
    const wallet = scenario.node.client.open(JettonWallet.create(Address.parseRaw(address)));
    expect([owner, master, await wallet.getBalance()]).toEqual([
      owner,
      master,
      expected.get(`${owner}/${master}`) ?? 0n,
    ]);
  }
}
