import type { CommandMetadata } from '../../../contracts/decider';
import { appVerificationEvents, type AppVerificationEvent } from '../../../contracts/events/app-verification';
import type { StreamKind } from '../../commands/stream-kind';

export interface VerifyApp {
  readonly type: 'verify' | 'unverify';
  /** As `appUrl` writes it. */
  readonly url: string;
  readonly reason: string | null;
  readonly metadata: CommandMetadata;
}

/** Whether operators have verified an application: nothing that it says of itself makes it verified. */
export const appVerificationKind: StreamKind<boolean, VerifyApp, AppVerificationEvent> = {
  events: appVerificationEvents,
  decider: {
    initial: () => false,
    evolve: (_, { type }) => type === 'AppVerified',
    decide(isVerified, { type, url, reason, metadata: { now: at, actor: by } }) {
      if (isVerified === (type === 'verify')) return [];
      return [{ type: type === 'verify' ? 'AppVerified' : 'AppUnverified', data: { url, reason, at, by } }];
    },
  },
};
