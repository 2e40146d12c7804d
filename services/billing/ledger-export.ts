import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import { BEGINNING, type Position } from '../../contracts/position';
import { leafDigest, ledgerLine } from '../../contracts/seal/ledger-line';
import { DigestLines } from '../../contracts/seal/stated-digests';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import { prefixOf } from '../../projections/as-of/prefix';

/** Some events of the export, as lines that each end with a line feed. */
export interface ExportPart {
  readonly text: string;
  readonly events: number;
  /** Of the last of them. */
  readonly position: Position;
}

/**
 * Every event of the ledger up to a position, in order, each a line in its canonical form: what an auditor is given, and
 * what the seal is over. Lines between them state their digests, so that a change is found at the very event. Read as
 * it is consumed.
 */
export async function* exportLedger(
  store: Pick<EventStore, 'readAll'>,
  until: Position,
): AsyncIterable<ExportPart> {
  const digests = new DigestLines();
  let position = BEGINNING;
  for await (const events of prefixOf(store, until).readAll({ categories: LEDGER_CATEGORIES })) {
    position = events.at(-1)!.position;
    yield { text: events.map(event => linesOf(event, digests)).join(''), events: events.length, position };
  }
  const last = digests.end();
  if (last !== null) yield { text: `${last}\n`, events: 0, position };
}

function linesOf(event: RecordedEvent, digests: DigestLines): string {
  const line = ledgerLine(event);
  const stated = digests.add(leafDigest(line), event.position);
  return stated === null ? `${line}\n` : `${line}\n${stated}\n`;
}
