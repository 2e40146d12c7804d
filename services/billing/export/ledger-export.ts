import { LEDGER_CATEGORIES } from '../../../contracts/events/ledger';
import { BEGINNING, type Position } from '../../../contracts/position';
import { eventDigest, ledgerLine } from '../../../contracts/ledger-tree/ledger-line';
import { DigestLineWriter } from '../../../contracts/ledger-tree/digest-lines';
import type { EventStore, RecordedEvent } from '../../../contracts/ports/event-store';
import { prefixOf } from '../../../projections/as-of/prefix';

/** Some events of the export, as lines with line ends. */
interface ExportPart {
  readonly text: string;
  readonly events: number;
  /** Position of the last of them. */
  readonly position: Position;
}

/**
 * Every event of the ledger up to a position, in order, each a line in canonical form, as in the ledger tree; with lines
 * of digests between them, which show which event was changed. Read as it is consumed.
 */
export async function* exportLedger(
  store: Pick<EventStore, 'readAll'>,
  until: Position,
): AsyncIterable<ExportPart> {
  const digests = new DigestLineWriter();
  let position = BEGINNING;
  for await (const events of prefixOf(store, until).readAll({ categories: LEDGER_CATEGORIES })) {
    position = events.at(-1)!.position;
    yield { text: events.map(event => linesOf(event, digests)).join(''), events: events.length, position };
  }
  const last = digests.end();
  if (last !== null) yield { text: `${last}\n`, events: 0, position };
}

function linesOf(event: RecordedEvent, digests: DigestLineWriter): string {
  const line = ledgerLine(event);
  const digestLine = digests.add(eventDigest(line), event.position);
  return digestLine === null ? `${line}\n` : `${line}\n${digestLine}\n`;
}
