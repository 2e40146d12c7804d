import { addressKey } from '../../contracts/http/address-key';
import type { Observed, ObservedReader } from '../../contracts/observation/reader';
import type { Reader } from '../watch-account';

/** A reading that is older than what an account has done since is not current; a new one is waited for, for a while. */
export interface CurrentRead<Subject, Data> {
  readonly subject: Subject;
  /** What is known so far, which may not be stored. */
  readonly known: Observed<Data>;
  isCurrent(reading: Observed<NoInfer<Data>>): boolean;
  readonly caller: Reader;
}

/** @returns after the wait, what there is then */
export async function readCurrent<Subject, Data>(
  readings: Pick<ObservedReader<Subject, Data>, 'find' | 'isStale' | 'readDerived'>,
  { subject, known, isCurrent, caller }: CurrentRead<Subject, Data>,
): Promise<Observed<Data>> {
  if (isCurrent(known)) return known;
  const newer = await readings.readDerived<Observed<Data>>(
    subject,
    { find: () => readings.find(subject), isStale: ({ at }) => readings.isStale(at), isCurrent },
    { caller: addressKey(caller.ip) },
  );
  return newer ?? known;
}
