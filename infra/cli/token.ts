import { Command, InvalidArgumentError, Option } from 'commander';
import { ROLES, type Role } from '../../contracts/principal';
import { isSubject } from '../../services/auth/principal';
import type { Config } from '../config/settings';
import { issueLocalToken, type TokenOptions } from '../program/commands/local-token';
import { assertIdentityOfStore } from '../program/identity';
import { print } from '../program/commands/output';

const subject = (text: string): string => {
  if (!isSubject(text)) throw new InvalidArgumentError('1 to 255 characters, one line of visible text.');
  return text;
};

const seconds = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 86_400)
    throw new InvalidArgumentError('1 to 86400 seconds.');
  return value;
};

/** Last the one that opens nothing. */
const BY_USE: readonly Role[] = [...ROLES.slice(1), ROLES[0]];

export function tokenCommand(config: () => Config): Command {
  return new Command('token')
    .description('issue a token, if the program is its own issuer')
    .addOption(
      new Option(
        '--role <role>',
        'role; default: finance, and platform_admin for the platform; viewer opens nothing by itself: tokens with an unknown role count as that',
      ).choices(BY_USE),
    )
    .option('--secure', 'as if the caller had just signed in with a second factor', false)
    .addOption(
      new Option('--issuer <issuer>', 'the issuer').choices(['instance', 'platform']).default('instance'),
    )
    .option('--subject <subject>', 'the subject', subject, 'local')
    .option(
      '--ttl <seconds>',
      'lifetime; the program accepts the token for a minute longer, as clocks differ',
      seconds,
      3_600,
    )
    .action(async (options: TokenOptions, command: Command) => {
      const settings = config();
      await assertIdentityOfStore(settings);
      const token = await issueLocalToken(settings, options);
      print({ token }, [token], command);
    });
}
