import type { ProblemDocument } from '../../../contracts/problem/problem';

/** The program refused a call, and says why. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(readonly problem: ProblemDocument) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`);
  }
}

/** Whether a call was done is not known: there was no answer, or none that says so. Repeating it does it once. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** @param error of a call @param name of a field of its body @returns what is wrong with the field or within it, if anything is */
export function faultOf(error: unknown, name: string): string | undefined {
  if (!(error instanceof Refusal)) return undefined;
  const at = `/body/${name}`;
  return error.problem.errors?.find(({ pointer }) => pointer === at || pointer.startsWith(`${at}/`))?.message;
}
