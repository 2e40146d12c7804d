import { messageOf } from '../../contracts/text/error-message';
import { Problem } from '../../contracts/problem/problem';
import { CannotListen, WrongSettings } from '../config/settings';

/** What is printed of the error of a command, one sentence or, for several faults, one a line. */
export function describeError(error: unknown): string {
  if (error instanceof WrongSettings) {
    const title = error instanceof CannotListen ? 'cannot listen' : 'wrong settings';
    return `${title}:${error.message.includes('\n') ? '\n' : ' '}${error.message}`;
  }
  if (error instanceof Problem) return `${asClause(error.detail)} (${error.code})`;
  return messageOf(error);
}

/** A sentence as messages of commands are: without its capital letter, unless it begins with a name in capitals, and its full stop. */
const asClause = (sentence: string): string =>
  sentence.replace(/^[A-Z](?=[a-z]* )/, letter => letter.toLowerCase()).replace(/\.$/, '');
