import type { CommandMetadata } from '../../contracts/decider';
import {
  connectCommandEvents,
  type ConnectCommandEvent,
  type ConnectCommandSubmitted,
} from '../../contracts/events/connect-command';
import type { StreamKind } from '../commands/stream-kind';
import type { Remove } from '../retention/retention';

interface SubmitCommand {
  readonly type: 'submit';
  readonly command: Omit<ConnectCommandSubmitted['data'], 'at'>;
  readonly metadata: CommandMetadata;
}

interface Submitted extends Pick<ConnectCommandSubmitted['data'], 'session' | 'appPublicKey' | 'expiresAt'> {
  readonly submittedAt: string;
}

/**
 * State: the command once it was submitted, until it is removed and has expired. One that is submitted again does not replace a
 * later one, and does not come back.
 */
export const commandKind: StreamKind<Submitted | null, SubmitCommand | Remove, ConnectCommandEvent> = {
  events: connectCommandEvents,
  decider: {
    initial: () => null,
    evolve(_state, { type, data }) {
      const { session, appPublicKey, expiresAt, at } = data;
      if (type === 'ConnectCommandSubmitted') return { session, appPublicKey, expiresAt, submittedAt: at };
      const { submittedAt } = data;
      return isForgotten(data) ? null : { session, appPublicKey, expiresAt, submittedAt };
    },
    decide(submitted, given) {
      const { now: at } = given.metadata;
      if (given.type === 'submit')
        return submitted ? [] : [{ type: 'ConnectCommandSubmitted', data: { ...given.command, at } }];
      if (!submitted) return [];
      // Also again while it is valid: retention looks at each event once, and at this one later.
      return [{ type: 'ConnectCommandRemoved', data: { ...submitted, at } }];
    },
  },
};

/** Whether a removed command could not be submitted again anyway, so that its stream may go. */
export function isForgotten({ expiresAt, at }: { readonly expiresAt: string; readonly at: string }): boolean {
  return expiresAt <= at;
}

/** Where applications submit commands, for the `CallerSource`. @param appPublicKey of the installation, base64url */
export function commandsTo(appPublicKey: string): string {
  return `command to ${appPublicKey}`;
}
