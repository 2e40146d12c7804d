import { z } from 'zod';
import { PRICE_REALMS, type PriceRealm } from '../chain/prices';
import { TON_NETWORKS, type TonNetwork } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of jettons that pay for gasless transfers, one stream per network. */
export const GASLESS_JETTON_CATEGORY = 'gaslessJetton';

/** A network: a local one has other jettons than the real one of its name. */
export interface GaslessJettonPlace {
  readonly realm: PriceRealm;
  readonly network: TonNetwork;
}

export function gaslessJettonStream({ realm, network }: GaslessJettonPlace): string {
  return `${GASLESS_JETTON_CATEGORY}-${realm}:${network}`;
}

const about = {
  realm: z.enum(PRICE_REALMS),
  network: z.enum(TON_NETWORKS),
  /** Raw. */
  master: z.string(),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
  by: z.string(),
};

/** Hashes of cells, hex. Of code that is a public library it is that of the cell which names the library. */
const code = z.object({
  /** Of the master. */ master: z.string(),
  /** Of the wallets that it says. */ wallet: z.string(),
});

/** So many of the jetton are paid for a TON, a decimal; null: as its pools say. */
const perTon = z.string().nullable();

// These types are the storage format.
const listed = eventType({
  name: 'GaslessJettonListed',
  schema: z.object({
    ...about,
    decimals: z.int().min(0).max(18),
    /** Null where a setting has listed it, which nobody has compared with the chain yet. */
    code: code.nullable(),
    perTon,
  }),
});
/** The code of one that a setting has listed, as it was when it was first needed. */
const codeRecorded = eventType({ name: 'GaslessJettonCodeRecorded', schema: z.object({ ...about, code }) });
const paused = eventType({ name: 'GaslessJettonPaused', schema: z.object(about) });
const resumed = eventType({ name: 'GaslessJettonResumed', schema: z.object(about) });
const priced = eventType({ name: 'GaslessJettonPriced', schema: z.object({ ...about, perTon }) });
const delisted = eventType({ name: 'GaslessJettonDelisted', schema: z.object(about) });

export const gaslessJettonEvents = eventFamily(
  ...([listed, codeRecorded, paused, resumed, priced, delisted] as const),
);
export type JettonCode = z.infer<typeof code>;
export type GaslessJettonEvent = EventOf<
  typeof listed | typeof codeRecorded | typeof paused | typeof resumed | typeof priced | typeof delisted
>;
