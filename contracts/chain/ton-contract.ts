import type { TonNetwork } from '../network';

/** The address is raw. */
export interface TonContractSubject {
  readonly network: TonNetwork;
  readonly address: string;
}
