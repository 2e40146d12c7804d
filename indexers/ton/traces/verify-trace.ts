import type { JettonWallets } from '../../../contracts/chain/ton-jetton';
import type { TonTrace } from '../../../contracts/chain/ton-trace';
import type { VerifyContracts } from '../verify-contracts';

/**
 * The jetton wallets in a trace that say whether a contract which the account itself has called mints jettons: those that the
 * contract has sent some to, as they and it confirm as of a masterchain block; null: the newest one.
 * @throws Error when the source does not answer
 */
export async function verifyTrace(
  { messages }: Pick<TonTrace, 'messages'>,
  verify: VerifyContracts,
  seqno: number | null,
): Promise<JettonWallets> {
  const called = new Set(messages.filter(isCall).map(({ dest }) => dest));
  const jettonWallets = new Set(
    messages
      .filter(({ src, jetton }) => jetton?.type === 'internal_transfer' && called.has(src))
      .map(({ dest }) => dest),
  );
  if (jettonWallets.size === 0) return {};
  const named = { jettonWallets: [...jettonWallets], nftItems: [], jettonMasters: [], parties: [] };
  return (await verify(named, seqno)).jettonWallets;
}

/** A message of the account that may ask for new jettons: one of TEP-74 asks for something else. */
const isCall = ({ parent, jetton }: TonTrace['messages'][number]): boolean =>
  parent === null && (jetton === null || jetton.type === 'mint');
