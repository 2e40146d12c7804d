import { Command, InvalidArgumentError, Option } from 'commander';
import { ROLES, type Principal, type Role } from '../../contracts/principal';
import { issueToken } from '../../services/auth/issue-token';
import { localIssuer } from '../program/auth';
import type { Config } from '../program/settings';
import { print } from './output';

interface TokenOptions {
  readonly role: Role;
  readonly secure: boolean;
  readonly issuer: Principal['issuer'];
  readonly subject: string;
  /** Seconds. */
  readonly ttl: number;
}

export async function issueLocalToken(config: Config, options: TokenOptions): Promise<string> {
  return issueToken(await localIssuer(config, options.issuer, Date.now), options);
}

const seconds = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 86_400)
    throw new InvalidArgumentError('1 to 86400 seconds.');
  return value;
};

export function tokenCommand(config: () => Config): Command {
  return new Command('token')
    .description('issue a token, if the program is its own issuer')
    .addOption(new Option('--role <role>', 'role of an instance token').choices(ROLES).default('finance'))
    .option('--secure', 'as after a strong authentication now', false)
    .addOption(
      new Option('--issuer <issuer>', 'the issuer').choices(['instance', 'platform']).default('instance'),
    )
    .option('--subject <subject>', 'the subject', 'local')
    .option('--ttl <seconds>', 'lifetime', seconds, 3_600)
    .action(async (options: TokenOptions, command: Command) => {
      const token = await issueLocalToken(config(), options);
      print({ token }, [token], command.optsWithGlobals<{ json: boolean }>());
    });
}
