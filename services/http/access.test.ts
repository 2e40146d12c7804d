import type { Principal } from '../../contracts/principal';
import { Problem } from '../../contracts/problem/problem';
import { authorize } from './access';

const principal = (issuer: Principal['issuer']): Principal => ({
  subject: 'ann',
  issuer,
  role: 'platform_admin',
  secureSessionAge: 901,
});

it.each([
  ['instance', 'which is valid for 900 seconds: `tidemark token --secure` issues a token for that.'],
  ['platform', 'which is valid for 900 seconds.'],
] as const)(
  'a session of the %s that has ended says how long one lasts, and what starts one',
  (issuer, end) => {
    const session = { maxAge: 900, acrValues: ['aal2'], ownIssuers: ['instance'] } as const;
    const refused = (): void => authorize(principal(issuer), { secureSession: true }, session);
    expect(refused).toThrow(Problem);
    expect(refused).toThrow(
      expect.objectContaining({
        code: 'secure_session_required',
        detail: `Authenticate again with a second factor, ${end}`,
      }),
    );
  },
);
