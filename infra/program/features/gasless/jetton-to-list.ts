import type { JettonCode } from '../../../../contracts/events/gasless-jetton';
import { Problem } from '../../../../contracts/problem/problem';
import { readMaster, type MasterReader } from './read-master';

const MAX_DECIMALS = 18;
const RETRY_AFTER_SECONDS = 60;

/**
 * The decimals and the code of a jetton (a raw master), from the chain, and from the document that it names.
 * @param given decimals, which it may not contradict
 * @throws Problem where there is no jetton, its decimals are unknown, others than those, or too many, or nodes are behind
 */
export async function jettonToList(
  reader: MasterReader,
  master: string,
  given: number | undefined,
): Promise<{ readonly decimals: number; readonly code: JettonCode }> {
  const reading = await readMaster(reader, master);
  if (reading.state === 'behind')
    throw Problem.unavailable(
      'The nodes are behind: what the jetton is now is not known. Try again once they have caught up.',
      RETRY_AFTER_SECONDS,
    );
  if (reading.state !== 'jetton')
    throw new Problem('gasless_jetton_unknown', 'There is no jetton master at this address.');
  const { decimals: said, code } = reading;
  const decimals = given ?? said;
  if (decimals === null)
    throw new Problem('gasless_jetton_decimals', 'The jetton does not say its decimals: give --decimals.');
  if (said !== null && said !== decimals)
    throw new Problem('gasless_jetton_decimals', `The jetton says that it has ${said} decimals.`);
  if (decimals > MAX_DECIMALS)
    throw new Problem(
      'gasless_jetton_decimals',
      `A jetton with more than ${MAX_DECIMALS} decimals cannot pay.`,
    );
  return { decimals, code };
}
