import type { Logger } from 'pino';
import type { Documents } from '../../contracts/ports/documents';
import { changeRecord } from './projection-record';
import type { RecordCache } from './record-cache';

/** Programs that serve reads tell those that fold, through the record of the projection, what their reads wait for. */
export function wantedElsewhere(
  records: Pick<RecordCache, 'peek'>,
  { documents, clock, logger }: { documents: Documents; clock: () => Date; logger: Logger },
) {
  const isAsking = new Set<string>();
  const wantedFor = (name: string): number => (records.peek(name)?.wantedUntil ?? 0) - clock().getTime();

  return {
    ask(name: string, forMs: number): void {
      // Renewed when half of the time is over, so that many reads are few writes.
      if (isAsking.has(name) || wantedFor(name) > forMs / 2) return;
      isAsking.add(name);
      changeRecord(documents, name, record => record && { ...record, wantedUntil: clock().getTime() + forMs })
        .catch((error: unknown) => logger.warn({ projection: name, err: error }, 'projection not asked for'))
        .finally(() => isAsking.delete(name));
    },
    isAskedFor: (name: string): boolean => wantedFor(name) > 0,
  };
}
