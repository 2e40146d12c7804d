import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Has memory collected in 50 milliseconds: what only weak references keep is gone then, such as a signal that nobody else holds. */
export function collectGarbageSoon(): void {
  setFlagsFromString('--expose-gc');
  setTimeout(runInNewContext('gc') as () => void, 50);
}
