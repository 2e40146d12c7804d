import { TooManyWaiting } from '../../contracts/fair-semaphore';
import type { TonNetwork } from '../../contracts/network/network';
import { createKeyedMutex } from '../commands/keyed-mutex';
import { refusal, type GaslessRefusal } from './deps';

/** A wallet has one request on its way: others that wait have been posted again. */
const MAX_WAITING = 32;

/** @param source where the call comes from, a pseudonym */
export type WalletMutex = <Result>(
  wallet: { readonly network: TonNetwork; readonly wallet: string },
  source: string,
  decide: () => Promise<Result>,
) => Promise<Result | GaslessRefusal>;

/** What arrives of a wallet at once is decided one after the other: each finds out what became of the one before. */
export function createWalletMutex(): WalletMutex {
  const mutex = createKeyedMutex(MAX_WAITING);
  return async ({ network, wallet }, source, decide) => {
    try {
      return await mutex(`${network}/${wallet}`, source, decide);
    } catch (error) {
      if (error instanceof TooManyWaiting) return refusal('cooldown', 'too much of the wallet waits');
      throw error;
    }
  };
}
