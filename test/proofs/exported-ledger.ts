import { writeFileSync } from 'node:fs';
import type { Json } from '../../contracts/json/json';
import type { EventStore } from '../../contracts/ports/event-store';
import { exportLedger } from '../../services/billing/export/ledger-export';

/** The lines of an export of the ledger; those that state digests come between them. */
export async function exportedLines(store: EventStore): Promise<string[]> {
  let text = '';
  for await (const part of exportLedger(store, await store.head())) text += part.text;
  return text.split('\n').slice(0, -1);
}

export function isEvent(line: string): boolean {
  return line.startsWith('{"created"');
}

export function positionIn(line: string): number {
  return (JSON.parse(line) as { position: number }).position;
}

export function writeLines(file: string, lines: readonly string[]): string {
  writeFileSync(file, lines.map(line => `${line}\n`).join(''));
  return file;
}

export function writeJson(file: string, value: Json | object): string {
  writeFileSync(file, JSON.stringify(value));
  return file;
}
