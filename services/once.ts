import { randomUUID } from 'node:crypto';
import type { CommandMetadata } from '../contracts/decider';
import type { Json } from '../contracts/json';
import type { WithHeaders } from './http/binding';

/** Whose ids the commands of a call take: tried again they are the same, so that what was half done is gone on with. */
export interface Attempt {
  /** Null for a call that cannot be told from its repetition. */
  readonly commandId: string | null;
  /** The n-th id of the call. */
  readonly newId: () => string;
}

export interface KeyedCall {
  /** The `Idempotency-Key` as it was sent. */
  readonly key: string | undefined;
  /** What a key is unique in: the caller, and what is asked for. */
  readonly scope: readonly string[];
  readonly body: Json;
  readonly metadata: CommandMetadata;
}

/**
 * Carries a call out, or answers what the call of the same key was answered.
 * @throws Problem 400 when the key is malformed, 409 `idempotency_in_flight`, 422 `idempotency_key_reused`
 */
export type Once = <Body>(
  call: KeyedCall,
  carryOut: (attempt: Attempt) => Promise<WithHeaders<Body>>,
) => Promise<WithHeaders<Body>>;

/** The ids of a call without a key. */
export function unrepeatable(): Attempt {
  return { commandId: null, newId: randomUUID };
}
