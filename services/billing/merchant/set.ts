import { isRefusal, type CommandMetadata } from '../../../contracts/decider';
import { merchantStream } from '../../../contracts/events/merchant';
import { merchantSlugStream } from '../../../contracts/events/merchant-slug';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Handle } from '../../commands/handle';
import { unwrap } from '../unwrap';
import { load } from '../../commands/load';
import { merchantKind, type Merchant, type NameMerchant } from './decider';
import { merchantSlugKind } from './slug';

interface MerchantDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly handle: Handle;
}

/**
 * Names a merchant: takes the slug, then sets the name. After a crash in between the merchant has the slug, and the next
 * attempt continues.
 * @throws Problem 409 `merchant_slug_taken`, 422 `merchant_not_found` when a new one lacks a name or a slug
 */
export async function setMerchant(
  { store, handle }: MerchantDeps,
  request: Omit<NameMerchant, 'type' | 'metadata'>,
  metadata: CommandMetadata,
): Promise<{ readonly merchant: Merchant; readonly position: Position }> {
  const { merchantId, slug } = request;
  const stream = merchantStream(merchantId);
  const command: NameMerchant = { type: 'name', ...request, metadata };
  // Decided before the slug is taken: a refused command must not take it.
  const decision = merchantKind.decider.decide(await load(store, merchantKind, stream), command);
  if (isRefusal(decision)) throw Problem.of(decision);
  if (slug !== undefined)
    unwrap(
      await handle(merchantSlugKind, merchantSlugStream(slug), { type: 'take', slug, merchantId, metadata }),
    );
  const { state, position } = unwrap(await handle(merchantKind, stream, command));
  return { merchant: state!, position };
}
