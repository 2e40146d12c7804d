import { refuse, type CommandMetadata, type Decider } from '../../contracts/decider';
import {
  idempotencyEvents,
  type IdempotencyEvent,
  type KeptAnswer,
} from '../../contracts/events/idempotency';
import type { StreamKind } from '../handle';

interface Call {
  readonly bodyHash: string;
  /** Under way since `since`, unless it was given up or answered. */
  readonly attempt: string | null;
  readonly since: string;
  readonly answer: KeptAnswer | null;
}
type CallState = Call | null;

export type CallCommand = { readonly metadata: CommandMetadata } & (
  | {
      readonly type: 'begin';
      readonly bodyHash: string;
      readonly attempt: string;
      /** Milliseconds after which an attempt that has not answered counts as dead. */
      readonly takeOverAfter: number;
    }
  | { readonly type: 'answer'; readonly answer: KeptAnswer }
  | { readonly type: 'give_up'; readonly attempt: string }
);

/**
 * A call is begun, and answered once. An attempt that left no answer, because its process died, is taken over after a
 * while: its ids are the same, so both may even run. To begin a call that was answered changes nothing.
 */
export const callDecider: Decider<CallState, CallCommand, IdempotencyEvent> = {
  initial: () => null,

  evolve(state, event) {
    switch (event.type) {
      case 'IdempotentCallBegun': {
        const { bodyHash, attempt, at: since } = event.data;
        return { bodyHash, attempt, since, answer: null };
      }
      case 'IdempotentCallAnswered':
        return state && { ...state, attempt: null, answer: event.data.answer };
      case 'IdempotentCallGivenUp':
        return state && { ...state, attempt: null };
    }
  },

  decide(state, command) {
    const at = command.metadata.now;
    switch (command.type) {
      case 'begin': {
        const { bodyHash, attempt, takeOverAfter } = command;
        const begin: IdempotencyEvent = { type: 'IdempotentCallBegun', data: { bodyHash, attempt, at } };
        if (!state) return [begin];
        if (state.bodyHash !== bodyHash)
          return refuse(422, 'idempotency_key_reused', 'This key was used before with another request.');
        if (state.answer) return [];
        const left = state.attempt === null ? 0 : Date.parse(state.since) + takeOverAfter - Date.parse(at);
        if (left > 0)
          return refuse(409, IN_FLIGHT, 'The call of this key is still under way; try again.', {
            retryAfter: Math.ceil(left / 1_000),
          });
        return [begin];
      }
      case 'answer':
        if (!state || state.answer) return [];
        return [{ type: 'IdempotentCallAnswered', data: { answer: command.answer, at } }];
      case 'give_up':
        if (state?.attempt !== command.attempt) return [];
        return [{ type: 'IdempotentCallGivenUp', data: { attempt: command.attempt, at } }];
    }
  },
};

export const IN_FLIGHT = 'idempotency_in_flight';

export const callKind: StreamKind<CallState, CallCommand, IdempotencyEvent> = {
  decider: callDecider,
  events: idempotencyEvents,
};
