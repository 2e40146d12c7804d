import type { CommandAudited } from '../../contracts/events/audit';
import { problemOf } from '../http/problems';
import { outcomeOf, writeAudit, type AuditPlace } from './write';

interface CommandDeps extends AuditPlace {
  /** RFC 3339 UTC instant with milliseconds. */
  readonly now: () => string;
}

type About = CommandAudited['about'];

/** Adds to what the line says the command was about; also kept when the command fails afterwards. */
export type Tell = (about: About) => void;

/**
 * Carries out what an operator asks for, and writes down what it came to before anybody hears of it: one line, whatever
 * becomes of it.
 */
export async function auditedCommand<Result>(
  { now, ...place }: CommandDeps,
  asked: Pick<CommandAudited, 'action' | 'actor' | 'requestId' | 'about'>,
  carryOut: (tell: Tell) => Promise<Result>,
): Promise<Result> {
  let { about } = asked;
  const record = (came: Pick<CommandAudited, 'outcome' | 'code'>): Promise<void> => {
    const at = now();
    return writeAudit(place, { type: 'CommandAudited', data: { at, ...asked, about, ...came } }, at);
  };
  let result: Result;
  try {
    result = await carryOut(more => {
      about = { ...about, ...more };
    });
  } catch (error) {
    const problem = problemOf(error);
    await record({ outcome: outcomeOf(problem), code: problem.code }).catch((fault: unknown) => {
      throw new AggregateError([error, fault], `${String(error)}; nor could it be audited: ${String(fault)}`);
    });
    throw error;
  }
  await record({ outcome: 'ok', code: null });
  return result;
}
