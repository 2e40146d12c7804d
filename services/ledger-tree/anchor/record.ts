import { ledgerAnchorStream } from '../../../contracts/events/ledger-anchor';
import type { WithoutMetadata } from '../../../contracts/decider';
import { type AnchorCommand, ledgerAnchorKind } from './decider';
import type { AnchorDeps } from './deps';

/** Records what was done or seen of a wallet (raw). @returns whether it has changed anything */
export async function record(
  { network, handle, clock }: Pick<AnchorDeps, 'network' | 'handle' | 'clock'>,
  account: string,
  command: WithoutMetadata<AnchorCommand>,
): Promise<boolean> {
  const metadata = { now: clock().toISOString(), actor: 'ledger anchor' };
  const outcome = await handle(ledgerAnchorKind, ledgerAnchorStream(network, account), {
    ...command,
    metadata,
  });
  return outcome.refusal === null && outcome.events.length > 0;
}
