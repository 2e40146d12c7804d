import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { makeLedgerKeys, openLedgerKeys, rotateLedgerKeys } from '../../services/seal/keys';
import type { Config } from '../program/config';
import { inDataDir } from '../program/data-dir';
import { ledgerKeysFile, openKeys } from '../program/seal';
import { asOperator } from './operator';
import { print } from './output';

export function keysCommand(config: () => Config): Command {
  return new Command('keys')
    .description('who signs proofs and checkpoints of the ledger')
    .addCommand(
      new Command('rotate')
        .description(
          'from now on a new key signs, also in programs that are running; what earlier keys signed stays valid. Makes the first one where there is none',
        )
        .action(async (_options: object, command: Command) => {
          const settings = config();
          const file = ledgerKeysFile(settings);
          const published = await asOperator(settings, command, {}, async (_tools, { tell }) => {
            await inDataDir(settings.DATA_DIR, async () =>
              existsSync(file) ? rotateLedgerKeys(file) : makeLedgerKeys(file),
            );
            const keys = openLedgerKeys(file).published();
            tell({ keyId: keys.keys[0]!.kid });
            return keys;
          });
          show(command, published);
        }),
    )
    .addCommand(
      new Command('list')
        .description('the public keys, the one that signs first')
        .action(async (_options: object, command: Command) =>
          show(command, (await openKeys(config())).published()),
        ),
    );
}

const show = (command: Command, published: ReturnType<ReturnType<typeof openLedgerKeys>['published']>) =>
  print(
    published,
    published.keys.map(({ kid }, n) => `${kid}${n === 0 ? '  signs' : ''}`),
    command.optsWithGlobals<{ json: boolean }>(),
  );
