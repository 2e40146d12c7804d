import type { Config } from '../../../config/settings';
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { makeLedgerKeys, openLedgerKeys, rotateLedgerKeys } from '../../../../services/ledger-tree/keys';
import { inDataDir } from '../../../config/data-dir';
import { ledgerKeysFile } from './ledger-tree';
import { asOperator } from '../../commands/operator';
import { print } from '../../commands/output';

export function keysCommand(config: () => Config): Command {
  return new Command('keys')
    .description('the keys that sign proofs and checkpoints of the ledger')
    .addCommand(
      new Command('rotate')
        .description(
          'sign with a new key from now on, also in running programs; earlier signatures stay valid. Creates the first key if there is none',
        )
        .action(async (_options: object, command: Command) => {
          const settings = config();
          const file = ledgerKeysFile(settings);
          const published = await asOperator(settings, command, {}, async (_tools, { addSubject }) => {
            await inDataDir(settings.DATA_DIR, async () =>
              existsSync(file) ? rotateLedgerKeys(file) : makeLedgerKeys(file),
            );
            const keys = openLedgerKeys(file).published();
            addSubject({ keyId: keys.keys[0]!.kid });
            return keys;
          });
          show(command, published);
        }),
    )
    .addCommand(
      new Command('list')
        .description('show the public keys, the signing one first')
        .action((_options: object, command: Command) =>
          show(command, openLedgerKeys(ledgerKeysFile(config())).published()),
        ),
    );
}

const show = (command: Command, published: ReturnType<ReturnType<typeof openLedgerKeys>['published']>) =>
  print(
    published,
    published.keys.map(({ kid }, n) => `${kid}${n === 0 ? '  signs' : ''}`),
    command,
  );
