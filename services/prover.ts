import type { Json, JsonObject } from '../contracts/json';
import type { Position } from '../contracts/position';
import type { ReportProof } from '../contracts/seal/proof';

/** An answer, and the place in history of which it is the answer. */
export interface Provable {
  /** The request as it was validated. */
  readonly query: JsonObject;
  readonly body: Json;
  readonly position: Position;
}

/** Proves answers by the sealed ledger. */
export interface Prover {
  /** Waits, within limits, until all up to the position is sealed. @throws NotSealed when it is not in time */
  prove(provable: Provable): Promise<ReportProof>;
  /** The place and the head that were known last, as `X-Ledger-Head` tells them; null when none are. Waits for nothing. */
  head(): string | null;
}

export class NotSealed extends Error {
  override readonly name = 'NotSealed';
  constructor(readonly position: Position) {
    super(`the ledger is not sealed up to position ${position} yet`);
  }
}
