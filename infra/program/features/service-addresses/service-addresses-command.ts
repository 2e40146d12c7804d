import { Command } from 'commander';
import { z } from 'zod';
import { parseAccountAddress } from '../../../../contracts/account/account-address';
import { formatTonAddress } from '../../../../contracts/account/address';
import type { WithoutMetadata } from '../../../../contracts/decider';
import { SERVICES, serviceAddressStream } from '../../../../contracts/events/service-address';
import type { AccountRef } from '../../../../contracts/network/network';
import { visibleLine } from '../../../../contracts/text/visible-text';
import {
  serviceAddressKind,
  type ServiceAddressCommand,
} from '../../../../services/service-addresses/decider';
import { listServiceAddresses } from '../../../../services/service-addresses/list';
import type { Config } from '../../../config/settings';
import { decideAsOperator } from '../../commands/operator';
import { list, print } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { withEngines } from '../../commands/with-engines';

const address = z.string().transform((text, context) => {
  const account = parseAccountAddress(text);
  if (account) return account;
  context.addIssue({ code: 'custom', message: 'must be an address of TON, friendly or raw, or of Solana' });
  return z.NEVER;
});
const addition = z.object({
  address,
  service: z.enum(SERVICES),
  type: visibleLine(64).nullable().default(null),
  icon: z
    .url({ protocol: /^https$/ })
    .max(2_048)
    .nullable()
    .default(null),
});
const removal = z.object({ address });

/** The addresses of `POST /service-address/check`, but for those of exchange orders. */
export function serviceAddressesCommand(config: () => Config): Command {
  return new Command('service-addresses')
    .description('addresses of services, which wallets point out before a payment is sent')
    .addCommand(
      new Command('add')
        .description('add an address, or change its details')
        .argument('<address>', 'of TON or Solana; a test-only address belongs to testnet')
        .argument('<service>', SERVICES.join(', '))
        .option('--type <text>', 'what the address is for, such as deposit')
        .option('--icon <url>', 'an image of the service')
        .action(async (text: string, service: string, flags: object, command: Command) => {
          const { address: account, ...known } = parseInput(addition, { ...flags, address: text, service });
          await change(config(), command, { type: 'add', account, service: known });
        }),
    )
    .addCommand(
      new Command('remove')
        .description('remove an address')
        .argument('<address>', 'as it was added, in any form')
        .action(async (text: string, _flags: object, command: Command) => {
          const { address: account } = parseInput(removal, { address: text });
          await change(config(), command, { type: 'remove', account });
        }),
    )
    .addCommand(
      new Command('list')
        .description('list the addresses, and who added them')
        .action(async (_flags: object, command: Command) => {
          const found = await withEngines(config(), ({ engines }) => listServiceAddresses(engines.store));
          const addresses = found.map(({ account, ...rest }) => ({ ...shown(account), ...rest }));
          const rows = addresses.map(each => [
            each.network,
            each.address,
            each.service,
            each.type ?? '',
            each.at,
            each.by,
          ]);
          print(
            { addresses },
            list('addresses', [['NETWORK', 'ADDRESS', 'SERVICE', 'TYPE', 'SINCE', 'BY'], ...rows]),
            command,
          );
        }),
    );
}

async function change(
  config: Config,
  command: Command,
  given: WithoutMetadata<ServiceAddressCommand>,
): Promise<void> {
  const about = shown(given.account);
  const { changed } = await decideAsOperator(config, command, {
    about,
    kind: serviceAddressKind,
    stream: serviceAddressStream(given.account),
    given,
  });
  const done = given.type === 'add' ? 'added' : 'removed';
  const unchanged = given.type === 'add' ? 'was there already' : 'was not there';
  print({ ...about, changed }, [`${about.address}: ${changed ? done : unchanged}`], command);
}

/** As wallets show it. */
const shown = (account: AccountRef) => ({
  network: `${account.chain} ${account.network}`,
  address: account.chain === 'ton' ? formatTonAddress(account.address, account.network) : account.address,
});
