import type { TonTrace } from '../../../contracts/chain/ton-trace';
import type { VerifyContracts } from '../verify-contracts';

/** What contracts say of what the messages of a trace alone do not show. */
export type VerifiedTrace = Pick<TonTrace, 'jettonWallets' | 'depositFees'>;

/**
 * The jetton wallets in a trace that say whether a contract which the account itself has called mints jettons: those that the
 * contract has sent some to, as they and it confirm; and what the pools that it has called take of a deposit. As of a
 * masterchain block; null: the newest one.
 * @throws Error when the source does not answer
 */
export async function verifyTrace(
  { messages }: Pick<TonTrace, 'messages'>,
  verify: VerifyContracts,
  seqno: number | null,
): Promise<VerifiedTrace> {
  const called = new Set(messages.filter(isCall).map(({ dest }) => dest));
  const jettonWallets = new Set(
    messages
      .filter(({ src, jetton }) => jetton?.type === 'internal_transfer' && called.has(src))
      .map(({ dest }) => dest),
  );
  const named = { jettonWallets: [...jettonWallets], nftItems: [], jettonMasters: [], parties: [] };
  const { jettonWallets: wallets, depositFees = {} } = await verify(
    { ...named, depositsTo: [...called] },
    seqno,
  );
  return {
    ...(Object.keys(wallets).length > 0 && { jettonWallets: wallets }),
    ...(Object.keys(depositFees).length > 0 && { depositFees }),
  };
}

/** A message of the account that may ask for new jettons, or stake: one of TEP-74 asks for something else. */
const isCall = ({ parent, jetton }: TonTrace['messages'][number]): boolean =>
  parent === null && (jetton === null || jetton.type === 'mint');
