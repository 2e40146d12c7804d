import { refuse, type CommandMetadata, type Decider } from '../../contracts/decider';
import {
  idempotencyEvents,
  type IdempotencyEvent,
  type RecordedResponse,
} from '../../contracts/events/idempotency';
import type { StreamKind } from '../commands/stream-kind';

interface Call {
  readonly bodyHash: string;
  /** In progress since `since`, unless it was abandoned or answered. */
  readonly attempt: string | null;
  readonly since: string;
  readonly response: RecordedResponse | null;
}
type CallState = Call | null;

export type CallCommand = { readonly metadata: CommandMetadata } & (
  | {
      readonly type: 'start';
      readonly bodyHash: string;
      readonly attempt: string;
      /** After which an attempt without a response counts as crashed. */
      readonly takeOverAfterMs: number;
    }
  | { readonly type: 'answer'; readonly response: RecordedResponse }
  | { readonly type: 'abandon'; readonly attempt: string }
);

/**
 * A call is started, and answered once. An attempt without a response, because its process crashed, is taken over after
 * `takeOverAfterMs`; both use the same ids, so they may even run concurrently. Starting an answered call changes nothing.
 */
export const callDecider: Decider<CallState, CallCommand, IdempotencyEvent> = {
  initial: () => null,

  evolve(state, event) {
    switch (event.type) {
      case 'IdempotentCallStarted': {
        const { bodyHash, attempt, at: since } = event.data;
        return { bodyHash, attempt, since, response: null };
      }
      case 'IdempotentCallAnswered':
        return state && { ...state, attempt: null, response: event.data.response };
      case 'IdempotentCallAbandoned':
        return state && { ...state, attempt: null };
    }
  },

  decide(state, command) {
    const at = command.metadata.now;
    switch (command.type) {
      case 'start': {
        const { bodyHash, attempt, takeOverAfterMs } = command;
        const start: IdempotencyEvent = { type: 'IdempotentCallStarted', data: { bodyHash, attempt, at } };
        if (!state) return [start];
        if (state.bodyHash !== bodyHash)
          return refuse('idempotency_key_reused', 'This key was already used for another request.');
        if (state.response) return [];
        const left = state.attempt === null ? 0 : Date.parse(state.since) + takeOverAfterMs - Date.parse(at);
        if (left > 0)
          return refuse('idempotency_in_flight', 'The call with this key is still in progress; try again.', {
            retryAfter: Math.ceil(left / 1_000),
          });
        return [start];
      }
      case 'answer':
        if (!state || state.response) return [];
        return [{ type: 'IdempotentCallAnswered', data: { response: command.response, at } }];
      case 'abandon':
        if (state?.attempt !== command.attempt) return [];
        return [{ type: 'IdempotentCallAbandoned', data: { attempt: command.attempt, at } }];
    }
  },
};

export const callKind: StreamKind<CallState, CallCommand, IdempotencyEvent> = {
  decider: callDecider,
  events: idempotencyEvents,
};
