import type { CommandMetadata, Decider } from '../../../contracts/decider';
import { tokenEvents, type TokenEvent, type TokenVerification } from '../../../contracts/events/token';
import type { TonNetwork } from '../../../contracts/network/network';
import type { StreamKind } from '../../commands/stream-kind';

/** What operators say of a token. */
export type VerifiedToken = TokenEvent['data'];

export interface SetVerification {
  readonly type: 'set';
  readonly network: TonNetwork;
  /** Of the master, raw. */
  readonly address: string;
  readonly verification: TokenVerification;
  readonly metadata: CommandMetadata;
}

/** A token is what an operator says of it, and `none` until then: nothing that it says of itself makes it trusted. */
const tokenDecider: Decider<VerifiedToken | null, SetVerification, TokenEvent> = {
  initial: () => null,

  evolve: (_state, { data }) => data,

  decide(state, { network, address, verification, metadata }) {
    if (verification === (state?.verification ?? 'none')) return [];
    const { now: at, actor: by } = metadata;
    return [{ type: 'TokenVerificationSet', data: { network, address, verification, at, by } }];
  },
};

export const tokenKind: StreamKind<VerifiedToken | null, SetVerification, TokenEvent> = {
  decider: tokenDecider,
  events: tokenEvents,
};
