import { isRefusal, type CommandMetadata } from '../../../contracts/decider';
import { merchantStream } from '../../../contracts/events/merchant';
import { merchantSlugStream } from '../../../contracts/events/merchant-slug';
import { Problem } from '../../../contracts/problem';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Handle } from '../../handle';
import { accepted } from '../accepted';
import { load } from '../load';
import { merchantKind, type Merchant, type NameMerchant } from './decider';
import { merchantSlugKind } from './slug';

interface MerchantDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly handle: Handle;
}

/**
 * Names a merchant: takes the slug, then names it. Broken off between them, the slug is the merchant's already, and the
 * next attempt goes on.
 * @throws Problem 409 `merchant_slug_taken`, 422 `merchant_unknown` when a new one lacks a name or a slug
 */
export async function setMerchant(
  { store, handle }: MerchantDeps,
  asked: Omit<NameMerchant, 'type' | 'metadata'>,
  metadata: CommandMetadata,
): Promise<Merchant> {
  const { merchantId, slug } = asked;
  const stream = merchantStream(merchantId);
  const command: NameMerchant = { type: 'name', ...asked, metadata };
  // A look first: who is going to be refused takes no slug.
  const decision = merchantKind.decider.decide(await load(store, merchantKind, stream), command);
  if (isRefusal(decision)) throw Problem.of(decision);
  if (slug !== undefined)
    accepted(
      await handle(merchantSlugKind, merchantSlugStream(slug), { type: 'take', slug, merchantId, metadata }),
    );
  return accepted(await handle(merchantKind, stream, command)).state!;
}
