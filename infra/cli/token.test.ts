import { commandLine } from '../../test/command-line';
import { ADMIN_ACCESS } from '../../contracts/http/billing/access';
import { hasRole, ROLES, type Principal } from '../../contracts/principal';
import { ENDPOINTS } from '../../test/endpoints';
import { createAuthenticator } from '../../services/auth/authenticator';
import { authConfig } from '../program/auth/auth';
import { tokenCommand } from './token';

const { config, run } = commandLine(tokenCommand);

/** Whom the program takes the holder of an issued token for. */
async function callerWith(...options: string[]): Promise<Principal> {
  const { token } = JSON.parse(await run('--json', 'token', ...options)) as { token: string };
  const authenticate = await createAuthenticator(await authConfig(config(), Date.now));
  return authenticate(`Bearer ${token}`);
}

describe('tidemark token', () => {
  it.each(ROLES.filter(role => role !== 'platform_admin'))('issues tokens of the role %s', async role =>
    expect(await callerWith('--role', role)).toMatchObject({ issuer: 'instance', role, subject: 'local' }),
  );

  it('issues a finance token without a secure session by default', async () => {
    expect(await callerWith()).toMatchObject({ role: 'finance', secureSessionAge: null });
    const { subject, secureSessionAge } = await callerWith('--secure', '--subject', 'Анна');
    expect(subject).toBe('Анна');
    // Begun by this token: as many seconds ago as the test has taken since.
    expect(secureSessionAge).not.toBeNull();
    expect(secureSessionAge).toBeLessThan(600);
  });

  it('says of viewer, last, that it opens nothing, which is so', () => {
    const help = tokenCommand(config).helpInformation().replace(/\s+/g, ' ');
    expect(help).toContain('viewer opens nothing by itself');
    expect(help).toMatch(/"platform_admin", "viewer"\)/);
    const viewer: Principal = { subject: 'ann', issuer: 'instance', role: 'viewer', secureSessionAge: 0 };
    const ofToken = ENDPOINTS.filter(({ auth }) => auth === 'bearer').map(
      ({ path, role }) => [path, role] as const,
    );
    const opened = [
      ...ofToken,
      ...Object.entries(ADMIN_ACCESS).map(([name, { role }]) => [name, role] as const),
    ];
    expect(opened.length).toBeGreaterThan(10);
    expect(opened.filter(([, role]) => role === undefined || hasRole(viewer, role))).toEqual([
      ['/api/instance-admin', undefined],
    ]);
  });

  it('refuses a platform admin of the instance, whose token would have the lowest role', async () => {
    const attempt = run('token', '--role', 'platform_admin');
    await expect(attempt).rejects.toThrow(/instance.*platform_admin.*--issuer platform/);
  });

  it('issues tokens of the platform for platform admins only, whatever else it is asked for', async () => {
    for (const options of [[], ['--role', 'platform_admin']])
      expect(await callerWith('--issuer', 'platform', ...options)).toMatchObject({ role: 'platform_admin' });
    for (const role of ['viewer', 'owner'])
      await expect(run('token', '--issuer', 'platform', '--role', role)).rejects.toThrow(
        /platform.*always.*platform_admin/,
      );
  });

  it.each(['', 'x'.repeat(256), 'ann\n', 'ann\u001b[2J'])(
    'refuses the subject %j, which no call accepts',
    async subject => {
      await expect(run('token', '--subject', subject)).rejects.toThrow('1 to 255 characters');
    },
  );
});
