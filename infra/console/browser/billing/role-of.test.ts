import { roleOf } from './role-of';

const tokenOf = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2lnbmF0dXJl`;

it.each([
  [{ sub: 'Zoë 価格 ??>', role: 'admin' }, 'admin'],
  [{ role: 'finance' }, 'finance: reads only'],
  [{ role: 7 }, null],
  [{}, null],
])('reads the role of %j', (claims, role) => {
  expect(roleOf(tokenOf(claims))).toBe(role);
});

it('reads nothing from what is no token', () => {
  for (const text of ['', 'hello', 'a.b.c', '..']) expect(roleOf(text)).toBeNull();
});
