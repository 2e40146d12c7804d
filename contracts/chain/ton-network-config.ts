import { z } from 'zod';
import type { TonNetwork } from '../network/network';

export interface TonNetworkSubject {
  readonly network: TonNetwork;
}

/** The parameters that fees of a transaction are computed from, and the limits of a message. */
export const FEE_PARAMETERS = [4, 18, 20, 21, 24, 25, 43] as const;

/** Nanotons, or what is said otherwise; decimal. */
const units = z.string().regex(/^\d+$/);

/** Parameter 18, from an instant on: for a second, in nanotons / 2^16. */
const storagePrices = z.object({
  /** Unix seconds. */
  since: z.int(),
  bit: units,
  cell: units,
  masterchainBit: units,
  masterchainCell: units,
});

/** Parameters 20 and 21. `gasPrice` is in nanotons / 2^16. */
const gasPrices = z.object({
  flatLimit: units,
  flatPrice: units,
  gasPrice: units,
  gasLimit: units,
  specialGasLimit: units,
  gasCredit: units,
  blockGasLimit: units,
  freezeDueLimit: units,
  deleteDueLimit: units,
});

/** Parameters 24 and 25. Prices of bits and cells are in nanotons / 2^16, the fractions in 1 / 2^16. */
const messagePrices = z.object({
  lumpPrice: units,
  bitPrice: units,
  cellPrice: units,
  ihrPriceFactor: z.int(),
  firstFraction: z.int(),
  nextFraction: z.int(),
});

/** Parameter 43; where the network has none, what validators apply then. */
const messageLimits = z.object({
  maxBits: z.int(),
  maxCells: z.int(),
  /** Of an external message: bytes, and depth in cells. */
  maxExternalSize: z.int(),
  maxExternalDepth: z.int(),
});

/** Data of `ton.network.config`. */
export const tonNetworkConfig = z.object({
  /** Parameter 4: the account id of the root of TON DNS in the masterchain, raw; null where the network has none. */
  dnsRoot: z.string().nullable(),
  storage: z.array(storagePrices),
  gas: z.object({ masterchain: gasPrices, workchain: gasPrices }),
  messages: z.object({ masterchain: messagePrices, workchain: messagePrices }),
  /** Null when the parameter is of a form that is not known. */
  limits: messageLimits.nullable(),
  /** Each of the parameters that there is, as a base64 BoC, by its number. */
  parameters: z.record(z.string(), z.string()),
});
export type TonNetworkConfig = z.infer<typeof tonNetworkConfig>;
