import type { Samples } from '../sample';

const ADDRESS = { subject: 'ann', ciphertext: 'v1.AAAAAAAAAAAAAAAA.c2VhbGVk' };
const NOBODYS_ADDRESS = { ...ADDRESS, subject: 'unauthenticated' };

export const AUDIT_SAMPLES: Samples = {
  CallAudited: [
    {
      v: 1,
      data: {
        at: '2026-11-30T23:59:00.000Z',
        requestId: 'r-1',
        action: 'void_invoice',
        actor: 'ann',
        address: ADDRESS,
        issuer: 'instance',
        role: 'admin',
        session: { id: 'session-1', age: 5 },
        about: { invoiceId: 'i-1' },
        outcome: 'refused',
        status: 404,
        code: 'invoice_not_found',
        replayed: false,
      },
    },
    {
      v: 1,
      data: {
        at: '2026-11-30T23:59:00.000Z',
        requestId: 'r-2',
        action: null,
        actor: null,
        address: NOBODYS_ADDRESS,
        issuer: null,
        role: null,
        session: { id: null, age: null },
        about: {},
        outcome: 'failed',
        status: 500,
        code: 'internal',
        replayed: false,
      },
    },
  ],
  CommandAudited: [
    {
      v: 1,
      data: {
        at: '2026-11-30T23:59:00.000Z',
        requestId: 'r-3',
        action: 'fees import',
        actor: 'cli:ann',
        about: { lines: '7', recorded: '3', unchanged: '1', refused: '2', malformed: '1' },
        outcome: 'ok',
        code: null,
      },
    },
  ],
  RefusalsCounted: [
    {
      v: 1,
      data: {
        from: '2026-11-30T23:58:00.000Z',
        to: '2026-11-30T23:59:00.000Z',
        counts: [
          {
            action: 'get_revenue',
            actor: 'ann',
            address: ADDRESS,
            status: 403,
            code: 'insufficient_role',
            count: 9,
          },
          {
            action: null,
            actor: null,
            address: NOBODYS_ADDRESS,
            status: 401,
            code: 'unauthenticated',
            count: 100,
          },
        ],
        others: 51,
      },
    },
  ],
};
