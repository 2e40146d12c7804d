import type { Clients, Observation, Reading } from '../../contracts/observation/observation';
import type { ExchangePartner } from '../../contracts/ports/exchange-partner';
import type { PublicWeb } from '../../contracts/ports/public-web';
import type { SolanaClient } from '../../contracts/ports/solana-client';
import type { TonClient } from '../../contracts/ports/ton-client';

/** Doubles of what an observation reads with, as far as it does. */
interface Sources {
  readonly ton?: Partial<TonClient>;
  readonly solana?: Partial<SolanaClient>;
  readonly exchange?: Partial<ExchangePartner>;
  readonly web?: Partial<PublicWeb>;
}

/**
 * Tests an observation: `await observe(epoch, { network: 'mainnet' }, { solana: { getEpoch: ... } })`. The subject must be what its
 * text is read back as, and the data what its schema accepts.
 * @returns what was read
 */
export async function observe<Subject, Data>(
  observation: Observation<Subject, Data>,
  subject: Subject,
  { ton, solana, exchange, web }: Sources,
): Promise<Reading<Data>> {
  const { format, parse } = observation.subject;
  expect(parse(format(subject))).toEqual(subject);
  const clients = { ton: () => ton, solana: () => solana, exchange: async () => exchange, web };
  const reading = await observation.read(clients as Clients, subject, new AbortController().signal);
  expect(observation.schema.parse(reading.data)).toEqual(reading.data);
  return reading;
}
