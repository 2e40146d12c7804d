import { Command } from 'commander';
import { z } from 'zod';
import { formatTonAddress } from '../../../../contracts/account/address';
import { ADDRESS_WARNINGS, addressWarningStream } from '../../../../contracts/events/address-warning';
import { tonAddress, tonNetwork } from '../../../../contracts/http/ton/fields';
import { tonAccount } from '../../../../contracts/account/ton-account';
import { addressWarningKind } from '../../../../services/ton-config/decider';
import { listWarnings, type Warning } from '../../../../services/ton-config/warnings';
import type { Config } from '../../../config/settings';
import { decideAsOperator } from '../../commands/operator';
import { list, print } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { withEngines } from '../../commands/with-engines';

const warned = z.object({
  address: tonAddress,
  warning: z.enum(ADDRESS_WARNINGS),
  network: tonNetwork.optional(),
});

interface Flags {
  readonly network?: string;
}

/** The TON addresses that `GET /config` names, for wallets to warn of. */
export function warningsCommand(config: () => Config): Command {
  return new Command('warnings')
    .description('TON addresses that wallets warn about: spam, or receivers that may not accept a payment')
    .addCommand(changing(config, 'add', 'warn about an address'))
    .addCommand(changing(config, 'remove', 'no longer warn about an address'))
    .addCommand(
      new Command('list')
        .description('show the warnings in force')
        .action(async (_flags: object, command: Command) => {
          const warnings = (await withEngines(config(), ({ engines }) => listWarnings(engines.store))).map(
            shown,
          );
          const rows = warnings.map(({ network, address, warning, at, by }) => [
            network,
            address,
            warning,
            at,
            by,
          ]);
          print(
            { warnings },
            list('warnings', [['NETWORK', 'ADDRESS', 'WARNING', 'SINCE', 'BY'], ...rows]),
            command,
          );
        }),
    );
}

const changing = (config: () => Config, type: 'add' | 'remove', description: string): Command =>
  new Command(type)
    .description(description)
    .argument('<address>', 'a TON address; a test-only address belongs to testnet')
    .argument('<warning>', ADDRESS_WARNINGS.join(' or '))
    .option('--network <network>', 'default: testnet for a test-only address, otherwise mainnet')
    .action(async (text: string, kind: string, flags: Flags, command: Command) => {
      const input = parseInput(warned, { ...flags, address: text, warning: kind });
      const { network, address } = tonAccount(input.address, input.network, 'network');
      const { warning } = input;
      const friendly = formatTonAddress(address, network);
      const about = { network, address: friendly, warning };
      const { changed } = await decideAsOperator(config(), command, {
        about,
        kind: addressWarningKind,
        stream: addressWarningStream(network, address),
        given: { type, network, address, warning },
      });
      const done = type === 'add' ? 'added' : 'removed';
      const unchanged = type === 'add' ? 'was there already' : 'was not there';
      print({ ...about, changed }, [`${friendly}: ${warning} ${changed ? done : unchanged}`], command);
    });

const shown = (warning: Warning): Warning => ({
  ...warning,
  address: formatTonAddress(warning.address, warning.network),
});
