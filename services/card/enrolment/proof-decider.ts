import { refuse, type CommandMetadata } from '../../../contracts/decider';
import { cardProofEvents, type CardProofUsed } from '../../../contracts/events/card-proof';
import type { TonNetwork } from '../../../contracts/network/network';
import type { StreamKind } from '../../commands/stream-kind';

interface Use {
  readonly type: 'use';
  /** SHA-256 of the signature, hex. */
  readonly digest: string;
  readonly network: TonNetwork;
  /** Unix seconds. */
  readonly signedAt: number;
  readonly metadata: CommandMetadata;
}

/** A signature enrols once, on one network: wallets sign again at each attempt. */
export const cardProofKind: StreamKind<{ readonly isUsed: boolean }, Use, CardProofUsed> = {
  events: cardProofEvents,
  decider: {
    initial: () => ({ isUsed: false }),
    evolve: () => ({ isUsed: true }),
    decide({ isUsed }, { digest, network, signedAt, metadata: { now: at } }) {
      if (isUsed) return refuse('signature_reused', 'The signature has enrolled a wallet before.');
      return [{ type: 'CardProofUsed', data: { digest, network, signedAt, at } }];
    },
  },
};
