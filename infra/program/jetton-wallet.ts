import { Address, beginCell } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import type { TonNetwork } from '../../contracts/network';
import type { Networks } from './networks';

/** Milliseconds until a node is given up and the next one asked. */
const PATIENCE = 10_000;

/**
 * Asks jetton masters for the wallets of owners (`get_wallet_address` of TEP-74); what they have said is remembered. All
 * addresses are raw.
 */
export function jettonWallets(
  networks: Pick<Networks, 'ton'>,
): (network: TonNetwork, master: string, owner: string) => Promise<string> {
  const known = new Map<string, string>();
  return async (network, master, owner) => {
    const question = `${network}/${master}/${owner}`;
    const answer = known.get(question) ?? (await ask(networks.ton[network], master, owner));
    known.set(question, answer);
    return answer;
  };
}

async function ask(endpoints: readonly string[], master: string, owner: string): Promise<string> {
  const errors: unknown[] = [];
  for (const endpoint of endpoints)
    try {
      const client = new TonClient4({ endpoint, timeout: PATIENCE });
      const { last } = await client.getLastBlock();
      const slice = beginCell().storeAddress(Address.parseRaw(owner)).endCell();
      const { exitCode, reader } = await client.runMethod(
        last.seqno,
        Address.parseRaw(master),
        'get_wallet_address',
        [{ type: 'slice', cell: slice }],
      );
      if (exitCode !== 0 && exitCode !== 1) throw new Error(`get_wallet_address ended with ${exitCode}`);
      return reader.readAddress().toRawString();
    } catch (error) {
      errors.push(error);
    }
  throw new AggregateError(errors, `jetton master ${master} did not tell the wallet of ${owner}`);
}
