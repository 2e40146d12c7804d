import request from 'supertest';
import { createTestApp } from '../../test/app';
import { EMBEDDED_DOMAINS } from './embedded';
import { allowedDomainRoutes } from './routes';

const decided = (_id: string, isAllowed: boolean) => ({ _id, isAllowed, reason: null, at: '', by: '' });

/** The answer while operators have decided so. */
async function domainsWith(...documents: ReturnType<typeof decided>[]): Promise<string[]> {
  const bindings = allowedDomainRoutes({
    views: {
      cached: (_query, compute) => compute(),
      async *scan<D>() {
        yield documents as readonly unknown[] as readonly D[];
      },
    },
  });
  const app = createTestApp(bindings);
  return ((await request(app).get('/protect/allowed-domains')).body as { domains: string[] }).domains;
}

it('has the domains that come with the program while operators have decided nothing', async () => {
  expect(await domainsWith()).toEqual([...EMBEDDED_DOMAINS].sort());
});

it('has what operators allow, without what they revoke', async () => {
  const changes = [decided('example.com', true), decided('example.org', false), decided('.ton.org', false)];
  const others = EMBEDDED_DOMAINS.filter(domain => domain !== '.ton.org');
  expect(await domainsWith(...changes)).toEqual([...others, 'example.com'].sort());
});
