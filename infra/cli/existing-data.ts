import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CannotOpen } from '../engines/cannot-open';
import { EMBEDDED_FILES } from '../engines/engines';
import type { LedgerConfig } from '../program/ledger-tree';
import type { Config } from '../program/settings';
import type { CommandEntry } from './commands';

/**
 * Refuses a data folder in which no program has ever run. It is empty or mistyped, and whatever a command created there,
 * databases or keys, would be of no use to anybody.
 * @throws CannotOpen
 */
export function assertExistingData(config: Config, { keys }: Pick<CommandEntry, 'keys'>): void {
  const { DATA_DIR, EVENTSTORE_URL } = config;
  const { LEDGER_KEYS_FILE } = config as LedgerConfig;
  const needed = [
    ...(EVENTSTORE_URL ? [] : [EMBEDDED_FILES.store]),
    ...(keys === 'tokens' || (keys === 'ledger' && LEDGER_KEYS_FILE === undefined) ? ['keys'] : []),
  ];
  const missing = needed.find(name => !existsSync(join(DATA_DIR, name)));
  if (missing === undefined) return;
  const fault = existsSync(DATA_DIR) ? `there is no ${missing} in it` : 'there is no such folder';
  throw new CannotOpen(
    'DATA_DIR',
    `${JSON.stringify(DATA_DIR)}: ${fault}. Set DATA_DIR to the data folder of the program, which \`tidemark start\` creates`,
  );
}
