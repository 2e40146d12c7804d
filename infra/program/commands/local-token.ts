import type { Principal, Role } from '../../../contracts/principal';
import { issueToken } from '../../../services/auth/issue-token';
import type { Config } from '../../config/settings';
import { localIssuer } from '../auth/auth';
import { UsageError } from './usage-error';

export interface TokenOptions {
  /** Default: `finance` for the instance, `platform_admin` for the platform. */
  readonly role?: Role;
  readonly secure: boolean;
  readonly issuer: Principal['issuer'];
  readonly subject: string;
  /** Seconds. */
  readonly ttl: number;
}

/** @throws UsageError when callers with the token would have another role; WrongSettings */
export async function issueLocalToken(config: Config, options: TokenOptions): Promise<string> {
  return issueToken(await localIssuer(config, options.issuer, Date.now), {
    ...options,
    role: roleOf(options),
  });
}

const PLATFORM_ROLE = 'platform_admin';

function roleOf({ issuer, role = issuer === 'platform' ? PLATFORM_ROLE : 'finance' }: TokenOptions): Role {
  if (issuer === 'instance' && role === PLATFORM_ROLE)
    throw new UsageError(
      `--role ${role}: the instance cannot issue tokens of the role ${PLATFORM_ROLE}; the platform does: --issuer platform`,
    );
  if (issuer === 'platform' && role !== PLATFORM_ROLE)
    throw new UsageError(`--role ${role}: tokens of the platform always have the role ${PLATFORM_ROLE}`);
  return role;
}
