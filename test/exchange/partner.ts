import { generateKeyPairSync } from 'node:crypto';
import type { ExchangePartner } from '../../contracts/ports/exchange-partner';
import { startChangellyDouble, type ChangellyDouble } from '../../infra/devnet/exchange/changelly-double';
import type { ScenarioName } from '../../infra/devnet/exchange/scenarios';
import { createChangelly } from '../../infra/engines/exchange-partner/changelly/changelly';
import { createSigner } from '../../infra/engines/exchange-partner/changelly/signer';
import { silent } from './tracked-orders';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

export interface TestPartner {
  readonly partner: ExchangePartner;
  readonly double: ChangellyDouble;
  close(): Promise<void>;
}

/** The adapter to a double of the partner, with a budget without limit. */
export async function openPartner(options: {
  readonly now: () => number;
  readonly speed?: number;
  readonly scenario?: ScenarioName;
}): Promise<TestPartner> {
  const double = await startChangellyDouble({ publicKey, requestsPerSecond: Infinity, ...options });
  const partner = createChangelly({
    url: double.url,
    signer: createSigner(privateKey),
    credentials: undefined,
    sandbox: true,
    requestsPerSecond: 1_000_000,
    logger: silent,
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
