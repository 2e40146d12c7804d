/** An event as a decider speaks of it: a name in the past tense and what happened. */
export interface DomainEvent {
  readonly type: string;
  readonly data: unknown;
}

/**
 * Why a command was not carried out. Refusals are values, not exceptions:
 * `code` is stable and becomes the `code` of the problem document, with `status` as its HTTP status.
 */
export interface Refusal {
  readonly refused: true;
  readonly status: 400 | 401 | 403 | 404 | 409 | 422 | 429 | 503;
  readonly code: string;
  readonly detail: string;
  /** Further members of the problem document, such as the id of the invoice already there. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export function refuse(
  status: Refusal['status'],
  code: string,
  detail: string,
  extra?: Refusal['extra'],
): Refusal {
  return { refused: true, status, code, detail, ...(extra && { extra }) };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value && value.refused === true;
}

/** Everything a decision may need that is not in its stream: the clock, fresh ids and the caller come in here. */
export interface CommandMetadata {
  /** RFC 3339 UTC instant with milliseconds. */
  readonly now: string;
  readonly actor: string;
  readonly [key: string]: unknown;
}

/**
 * The rule of one kind of stream as three pure functions: no clock, no ids, no I/O inside.
 * An empty list of events means the command asks for what is already so.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  initial(): State;
  evolve(state: State, event: Event): State;
  decide(state: State, command: Command): readonly Event[] | Refusal;
}
