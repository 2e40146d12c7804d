import { Command, InvalidArgumentError, Option } from 'commander';
import { ROLES, type Principal, type Role } from '../../contracts/principal';
import { issueToken } from '../../services/auth/issue-token';
import { isSubject } from '../../services/auth/principal';
import { localIssuer } from '../program/auth';
import type { Config } from '../program/settings';
import { print } from './output';

interface TokenOptions {
  /** Default: `finance` for the instance, `platform_admin` for the platform. */
  readonly role?: Role;
  readonly secure: boolean;
  readonly issuer: Principal['issuer'];
  readonly subject: string;
  /** Seconds. */
  readonly ttl: number;
}

/** @throws Error when callers with the token would have another role; WrongSettings */
export async function issueLocalToken(config: Config, options: TokenOptions): Promise<string> {
  return issueToken(await localIssuer(config, options.issuer, Date.now), {
    ...options,
    role: roleOf(options),
  });
}

const PLATFORM_ROLE = 'platform_admin';

function roleOf({ issuer, role = issuer === 'platform' ? PLATFORM_ROLE : 'finance' }: TokenOptions): Role {
  if (issuer === 'instance' && role === PLATFORM_ROLE)
    throw new Error(
      `--role ${role}: the instance cannot issue tokens of the role ${PLATFORM_ROLE}; the platform does: --issuer platform`,
    );
  if (issuer === 'platform' && role !== PLATFORM_ROLE)
    throw new Error(`--role ${role}: tokens of the platform always have the role ${PLATFORM_ROLE}`);
  return role;
}

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

export function tokenCommand(config: () => Config): Command {
  return new Command('token')
    .description('issue a token, if the program is its own issuer')
    .addOption(
      new Option('--role <role>', 'role; default: finance, and platform_admin for the platform').choices(
        ROLES,
      ),
    )
    .option('--secure', 'as if the caller had just passed a strong authentication', false)
    .addOption(
      new Option('--issuer <issuer>', 'the issuer').choices(['instance', 'platform']).default('instance'),
    )
    .option('--subject <subject>', 'the subject', subject, 'local')
    .option('--ttl <seconds>', 'lifetime', seconds, 3_600)
    .action(async (options: TokenOptions, command: Command) => {
      const token = await issueLocalToken(config(), options);
      print({ token }, [token], command);
    });
}
