import { Problem } from '../../contracts/problem/problem';
import type { Outcome } from '../commands/handle';

/** The outcome of a command. @throws Problem when it was refused */
export function unwrap<State, Event>(
  outcome: Outcome<State, Event>,
): Extract<Outcome<State, Event>, { refusal: null }> {
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  return outcome;
}
