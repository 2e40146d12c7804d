import { createPublicKey } from 'node:crypto';
import { startChangellyDouble } from '../../../infra/devnet/exchange/changelly-double';

/** What the double of the exchange partner has, when it is asked. */
export interface PartnerOrders {
  readonly count: number;
  readonly ids: number;
}

/**
 * Program: the double of the exchange partner without a limit of requests; reports its URL, and its orders on request. Its argument
 * is the key that requests are signed with: PKCS #1 DER in hexadecimal.
 */
async function main(hex: string): Promise<void> {
  const double = await startChangellyDouble({
    publicKey: createPublicKey({ key: Buffer.from(hex, 'hex'), format: 'der', type: 'pkcs1' }),
    requestsPerSecond: Infinity,
    maxOrders: 1_000_000,
  });
  process.on('message', () => {
    const orders = double.orders();
    const answer: PartnerOrders = { count: orders.length, ids: new Set(orders.map(({ id }) => id)).size };
    process.send!(answer);
  });
  process.once('SIGTERM', () => void double.close().then(() => process.exit(0)));
  process.send!(double.url);
}

void main(process.argv[2]!);
