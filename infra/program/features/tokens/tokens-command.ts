import { Command } from 'commander';
import { z } from 'zod';
import { formatTonAddress } from '../../../../contracts/account/address';
import { tokenStream, TOKEN_VERIFICATIONS } from '../../../../contracts/events/token';
import { tonAddress, tonNetwork } from '../../../../contracts/http/ton/fields';
import { tonAccount } from '../../../../contracts/account/ton-account';
import { tokenKind, type VerifiedToken } from '../../../../services/tokens/verification/decider';
import { listTokenVerifications } from '../../../../services/tokens/verification/list';
import type { Config } from '../../../config/settings';
import { decideAsOperator } from '../../commands/operator';
import { list, print } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { withEngines } from '../../commands/with-engines';

const verified = z.object({
  master: tonAddress,
  verification: z.enum(TOKEN_VERIFICATIONS),
  network: tonNetwork.optional(),
});

/** What operators say of tokens: wallets warn of those on the black list, and show which are on the white list. */
export function tokensCommand(config: () => Config): Command {
  return new Command('tokens')
    .description('which tokens are trusted, and which are fraudulent')
    .addCommand(
      new Command('set')
        .description("set a token's verification: whitelist (trusted), blacklist (fraudulent) or none")
        .argument('<master>', 'address of the master')
        .argument('<verification>', TOKEN_VERIFICATIONS.join(', '))
        .option('--network <network>', 'default: testnet for a test-only address, otherwise mainnet')
        .action(
          async (master: string, verification: string, flags: { network?: string }, command: Command) => {
            const given = parseInput(verified, { ...flags, master, verification });
            const { network, address } = tonAccount(given.master, given.network, '/network');
            const about = { network, address, verification: given.verification };
            const { state: token, changed } = await decideAsOperator(config(), command, {
              about,
              kind: tokenKind,
              stream: tokenStream(network, address),
              given: { type: 'set', network, address, verification: given.verification },
            });
            const shown = `${formatTonAddress(address, network)}: ${changed ? '' : 'is the same, '}${given.verification}`;
            print(token ?? about, [shown], command);
          },
        ),
    )
    .addCommand(
      new Command('list')
        .description('list the tokens whose verification was set')
        .action(async (_flags: object, command: Command) => {
          const tokens = await withEngines(config(), ({ engines }) => listTokenVerifications(engines.store));
          print({ tokens }, lines(tokens), command);
        }),
    );
}

const lines = (tokens: readonly VerifiedToken[]): string[] =>
  list('tokens', [
    ['NETWORK', 'MASTER', 'VERIFICATION', 'SINCE', 'BY'],
    ...tokens.map(({ network, address, verification, at, by }) => [
      network,
      formatTonAddress(address, network),
      verification,
      at,
      by,
    ]),
  ]);
