import { PublicKey } from '@solana/web3.js';
import type { SolanaAccountObserved } from '../../../contracts/chain/solana-observations';
import type { Endpoints } from '../endpoints';

/** The balance of an account, 0 when there is none. */
export async function observeAccount(
  endpoints: Endpoints,
  address: string,
): Promise<{ height: number; data: SolanaAccountObserved & { balance: string } }> {
  const { context, value } = await endpoints.ask(({ connection }) =>
    connection.getBalanceAndContext(new PublicKey(address), 'confirmed'),
  );
  return { height: context.slot, data: { balance: String(value) } };
}
