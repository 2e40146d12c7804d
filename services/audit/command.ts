import type { CommandAudited } from '../../contracts/events/audit';
import { problemOf } from '../http/problems';
import { outcomeOf, writeAudit, type AuditPlace } from './write';

interface CommandDeps extends AuditPlace {
  /** RFC 3339 UTC instant with milliseconds. */
  readonly now: () => string;
}

type About = CommandAudited['about'];

/** Adds to `about`; recorded also when the command fails afterwards. */
export type AddSubject = (about: About) => void;

/**
 * Executes a command of an operator, and records its outcome as one event before returning it.
 * @param isRefused whether the result says that nothing was done
 * @throws the error of the command; AggregateError when recording that failed too
 */
export async function auditedCommand<Result>(
  { now, ...place }: CommandDeps,
  command: Pick<CommandAudited, 'action' | 'actor' | 'requestId' | 'about'>,
  execute: (addSubject: AddSubject) => Promise<Result>,
  isRefused: (result: Result) => boolean = () => false,
): Promise<Result> {
  let { about } = command;
  const record = (outcome: Pick<CommandAudited, 'outcome' | 'code'>): Promise<void> => {
    const at = now();
    return writeAudit(place, { type: 'CommandAudited', data: { at, ...command, about, ...outcome } }, at);
  };
  let result: Result;
  try {
    result = await execute(more => {
      about = { ...about, ...more };
    });
  } catch (error) {
    const problem = problemOf(error);
    await record({ outcome: outcomeOf(problem), code: problem.code }).catch((fault: unknown) => {
      throw new AggregateError([error, fault], `${String(error)}; it was not audited: ${String(fault)}`);
    });
    throw error;
  }
  await record({ outcome: isRefused(result) ? 'refused' : 'ok', code: null });
  return result;
}
