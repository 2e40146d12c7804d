import { setInterval } from 'node:timers/promises';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { readConfig } from '../../../infra/program/settings/config';
import { buy } from '../fill/card-holders';

/** Ten purchases a second. */
const EVERY_MS = 100;

/** Program: buys with a card, as webhooks to another process would. */
async function main(cardId: string): Promise<void> {
  const { store } = openEmbeddedEngines(readConfig(process.env));
  process.send!('');
  let n = 0;
  for await (const _ of setInterval(EVERY_MS)) await buy(store, cardId, `changed-${n++}`);
}

void main(process.argv[2]!);
