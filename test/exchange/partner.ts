import type { ExchangePartner } from '../../contracts/ports/exchange-partner';
import {
  startChangellyDouble,
  type ChangellyDouble,
  type ChangellyDoubleOptions,
} from '../../infra/devnet/exchange/changelly-double';
import {
  createChangelly,
  type ChangellyOptions,
} from '../../infra/engines/exchange-partner/changelly/changelly';
import { createSigner } from '../../infra/engines/exchange-partner/changelly/signer';
import { privateKey, publicKey } from '../devnet/changelly';
import { silent } from './tracked-orders';

export interface TestPartner {
  readonly partner: ExchangePartner;
  readonly double: ChangellyDouble;
  close(): Promise<void>;
}

/** The adapter to a double of the partner; by default with a budget without limit. */
export async function openPartner(
  options: Partial<ChangellyDoubleOptions> & { readonly now: () => number },
  adapter: Partial<ChangellyOptions> = {},
): Promise<TestPartner> {
  const double = await startChangellyDouble({ publicKey, requestsPerSecond: Infinity, ...options });
  const partner = createChangelly({
    url: double.url,
    signer: createSigner(privateKey),
    credentials: undefined,
    sandbox: true,
    requestsPerSecond: 1_000_000,
    logger: silent,
    ...adapter,
  });
  return {
    partner,
    double,
    async close() {
      await partner.close();
      await double.close();
    },
  };
}
