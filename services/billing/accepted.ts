import { Problem } from '../../contracts/problem';
import type { Outcome } from '../handle';

/** What a command came to. @throws Problem when it was refused */
export function accepted<State, Event>(
  outcome: Outcome<State, Event>,
): Extract<Outcome<State, Event>, { refusal: null }> {
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  return outcome;
}
