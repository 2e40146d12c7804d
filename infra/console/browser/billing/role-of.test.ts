import { describeRole, readsAuditTrail, roleOf } from './role-of';

const tokenOf = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2lnbmF0dXJl`;

it.each([
  [{ sub: 'Zoë 価格 ??>', role: 'admin' }, 'admin'],
  [{ role: 'finance' }, 'finance'],
  [{ role: 7 }, null],
  [{}, null],
])('reads the role of %j', (claims, role) => {
  expect(roleOf(tokenOf(claims))).toBe(role);
});

it('reads nothing from what is no token', () => {
  for (const text of ['', 'hello', 'a.b.c', '..']) expect(roleOf(text)).toBeNull();
});

it.each([
  ['admin', 'admin', true],
  ['finance', 'finance: reads all but the audit trail', false],
  [null, null, true],
])('says of %j what it may read', (role, described, isAuditor) => {
  expect([describeRole(role), readsAuditTrail(role)]).toEqual([described, isAuditor]);
});
