import type { ErrorCode } from './problem/errors';

/** An event as a decider sees it: a name in the past tense and what happened. */
export interface DomainEvent {
  readonly type: string;
  readonly data: unknown;
}

/** Why a command was not executed. Refusals are values, not exceptions; they become problem documents. */
export interface Refusal {
  readonly refused: true;
  readonly code: ErrorCode;
  readonly detail: string;
  /** Further members of the problem document, such as the id of the existing invoice. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A refusal. @param detail a sentence for the caller @param extra further members of the problem document */
export function refuse(code: ErrorCode, detail: string, extra?: Refusal['extra']): Refusal {
  return { refused: true, code, detail, ...(extra && { extra }) };
}

/** Whether a decision is a refusal, and no list of events. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value && value.refused === true;
}

/** Everything a decision may need that is not in its stream: the time, new ids and the caller. */
export interface CommandMetadata {
  /** RFC 3339 UTC instant with milliseconds. */
  readonly now: string;
  readonly actor: string;
  readonly [key: string]: unknown;
}

/** A command, or any of several, before its metadata is added. */
export type WithoutMetadata<Command> = Command extends unknown ? Omit<Command, 'metadata'> : never;

/**
 * The rules of one kind of stream as three pure functions: no clock, no ids, no I/O inside.
 * An empty list of events means that the command changes nothing.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  initial(): State;
  evolve(state: State, event: Event): State;
  decide(state: State, command: Command): readonly Event[] | Refusal;
}
