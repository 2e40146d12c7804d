import type { CommandMetadata } from '../../contracts/decider';
import { connectCommandEvents, type ConnectCommandEvent } from '../../contracts/events/connect-command';
import type { StreamKind } from '../handle';

interface SubmitCommand {
  readonly command: Omit<ConnectCommandEvent['data'], 'at'>;
  readonly metadata: CommandMetadata;
}

/** State: whether the command was submitted. One that is submitted again does not replace a later one. */
export const commandKind: StreamKind<boolean, SubmitCommand, ConnectCommandEvent> = {
  events: connectCommandEvents,
  decider: {
    initial: () => false,
    evolve: () => true,
    decide: (submitted, { command, metadata: { now: at } }) =>
      submitted ? [] : [{ type: 'ConnectCommandSubmitted', data: { ...command, at } }],
  },
};
