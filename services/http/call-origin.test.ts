import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { NO_LIMITS } from '../../contracts/ports/rate-limits';
import { createTestApp } from '../../test/app';
import { bind } from './binding';

const toy = { group: 'Toy', summary: 'Toy', response: z.object({ image: z.string().nullable() }) } as const;
const linked = endpoint({ ...toy, method: 'GET', path: '/linked', auth: 'bearer' });
const unlinked = endpoint({ ...toy, method: 'GET', path: '/unlinked' });

const open = (trustedProxies: number) =>
  createTestApp(
    [
      bind(linked, async ({ origin }) => ({ image: `${origin}/image.webp` })),
      bind(unlinked, async () => ({ image: null })),
    ],
    {
      trustedProxies,
      limits: NO_LIMITS,
      authenticate: {
        bearer: async () => ({ subject: 'ann', issuer: 'instance', role: 'viewer', secureSessionAge: null }),
      },
    },
  );
const ask = (app: ReturnType<typeof open>, path: string) =>
  request(app).get(path).set({ 'X-Forwarded-Host': 'api.example.com', 'X-Forwarded-Proto': 'https' });
const varies = ({ headers }: request.Response): string[] => String(headers['vary'] ?? '').split(', ');

it('an answer that names the host which a proxy reports tells caches so, and another answer does not', async () => {
  const app = open(1);
  const answer = await ask(app, '/linked').expect(200);
  expect(answer.body).toEqual({ image: 'https://api.example.com/image.webp' });
  expect(varies(answer)).toEqual(
    expect.arrayContaining(['Authorization', 'X-Forwarded-Host', 'X-Forwarded-Proto']),
  );
  expect(varies(await ask(app, '/unlinked').expect(200))).not.toContain('X-Forwarded-Host');
});

it('without a proxy what a caller says of the host is ignored, and caches need not know', async () => {
  const answer = await ask(open(0), '/linked').expect(200);
  expect(answer.body.image).not.toContain('api.example.com');
  expect(varies(answer)).not.toContain('X-Forwarded-Host');
});
