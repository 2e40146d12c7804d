import fc from 'fast-check';
import request from 'supertest';
import { ROLES } from '../../contracts/principal';
import { fee, openInstance, type TestInstance } from '../billing/instance';
import { runs } from '../random';

let instance: TestInstance;
beforeAll(async () => {
  instance = await openInstance();
});
afterAll(() => instance.close());

/** Any UTF-16 text: control characters, halves of surrogate pairs and every script among it. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 255 }),
  fc.string({ unit: fc.nat(0xffff).map(unit => String.fromCharCode(unit)), minLength: 1, maxLength: 255 }),
  fc.string({ unit: fc.nat(0x9f).map(unit => String.fromCharCode(unit)), minLength: 1, maxLength: 20 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'unauthenticated',
    '$ne',
    'a.b',
    'a/b|c',
    '../keys',
    "' OR 1=1",
    '\ufeff',
  ),
);

/** Calls that audit, encrypt and limit by the subject, and that record it in events. */
const CALLS = [
  ['/api/instance-admin', { action: 'get_revenue' }],
  [
    '/api/instance-admin',
    { action: 'void_invoice', invoiceId: '00000000-0000-4000-8000-000000000000', reason: 'none' },
  ],
  ['/api/fees', { fees: [fee({ id: 'one' })] }],
] as const;

it('a token with any subject is answered or refused, and never makes a 500', () =>
  fc.assert(
    fc.asyncProperty(
      anyText,
      fc.constantFrom(...ROLES),
      fc.constantFrom(...CALLS),
      async (subject, role, [path, body]) => {
        const token = await instance.token({ subject, role, secure: true });
        const { status, body: answer } = await request(instance.app)
          .post(path)
          .set({ Authorization: `Bearer ${token}`, 'Idempotency-Key': 'one' })
          .send(body);
        if (![200, 401, 403, 404, 409].includes(status))
          throw new Error(`${JSON.stringify(subject)} is answered with ${status} ${JSON.stringify(answer)}`);
      },
    ),
    runs(150),
  ));
