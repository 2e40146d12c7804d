import { applicationSchemas as app } from './application-schemas';
import { get, post, type Asked, type DialectRequest, type Row } from './requests';

/** The application of the local networks. */
const APP = 'https://app.example.com';
const encoded = encodeURIComponent(APP);

/** For rows that the app asks as the specification writes them. */
const alike = (request: DialectRequest, says: unknown): Asked => ({ app: request, spec: null, says });

const said = { title: 'Local application', domain: 'app.example.com' };
const comment = { text: 'It works', images: [] };

/** The rows of "Application configuration, catalog, banners" and of "Miscellaneous". */
export const APPLICATION_ROWS: readonly Row[] = [
  {
    row: 'GET /appconfig/{network}',
    accepts: () => app.appConfig,
    ask: ({ network }) => alike(get(`/appconfig/${network}`), { features: { swap: true } }),
  },
  {
    row: 'GET /appconfig/versions/{network}',
    accepts: () => app.versions,
    ask: ({ network }) => alike(get(`/appconfig/versions/${network}`), { ios: { critical: '0' } }),
  },
  {
    row: 'GET /apps/metadata?url=',
    accepts: () => app.metadata,
    ask: () => ({
      app: get(`/apps/metadata?url=${encoded}`),
      spec: get(`/apps/metadata?url=${APP}`),
      says: { ...said, name: said.title, icon: expect.stringContaining('/apps/image?') },
    }),
  },
  {
    row: 'GET /apps/catalog',
    accepts: () => app.catalog,
    ask: () => ({
      // The app encodes the URL twice.
      app: get(`/apps/catalog?url=${encodeURIComponent(encoded)}`),
      spec: get(`/apps/catalog?url=${APP}`),
      says: { extension: { url: APP, metadata: said, verified: false } },
    }),
  },
  {
    row: 'POST /apps/reviews',
    accepts: () => app.submittedReview,
    ask: ({ owner: address }) =>
      alike(post('/apps/reviews', { url: APP, input: { rating: 4, address, comment } }), {
        review: { rating: 4, address, comment },
      }),
  },
  {
    row: 'GET /apps/reviews?url=&address=',
    accepts: () => app.ownReview,
    ask({ owner, network }) {
      const review = { rating: 4, address: owner, comment };
      const query = `url=${encoded}&address=${owner}`;
      return alike(get(`/apps/reviews?${query}&network=${network}`), { review });
    },
  },
  {
    row: 'POST /apps/reports',
    accepts: () => app.submittedReport,
    ask: ({ owner: address }) =>
      alike(post('/apps/reports', { url: APP, input: { type: 'spam', address, comment } }), {
        report: { url: APP, type: 'spam', address, comment },
      }),
  },
  ...[
    { row: 'GET /wallet/banners', path: '/wallet/banners', wire: '/tonhub/banners' },
    {
      row: 'GET /wallet/card-service/banners',
      path: '/wallet/card-service/banners',
      wire: '/tonhub/holders/banners',
    },
  ].map(({ row, path, wire }): Row => ({
    row,
    accepts: () => app.banners,
    ask: () => ({
      app: get(wire),
      spec: get(path),
      says: {
        banners: expect.arrayContaining([
          expect.objectContaining({ title: 'Local application', product_url: APP, enabled: true }),
        ]),
      },
    }),
  })),
  {
    row: 'GET /ads/banners',
    accepts: () => app.advertisement,
    ask: () =>
      alike(get('/ads/banners?version=2.5.45&buildNumber=1&platform=ios&language=en'), {
        product: { id: 'local-app', url: APP },
      }),
  },
  {
    row: 'GET /protect/allowed-domains',
    accepts: () => app.allowedDomains,
    ask: () => alike(get('/protect/allowed-domains'), { domains: expect.arrayContaining(['.ton.org']) }),
  },
  {
    row: 'GET /balances/old/{pubkey}',
    accepts: () => app.oldBalances,
    ask: () => alike(get(`/balances/old/${'07'.repeat(32)}`), { totalBalance: '0' }),
  },
  {
    row: 'POST /service-address/check',
    accepts: () => app.serviceAddress,
    ask: ({ owner: address }) =>
      alike(post('/service-address/check', { address }), { ok: true, found: false }),
  },
  {
    row: 'POST /push/register',
    accepts: () => app.ignored,
    ask: ({ owner, solana }) =>
      alike(
        post('/push/register', {
          token: 'ExponentPushToken[dialects]',
          appPublicKey: Buffer.alloc(32, 7).toString('base64'),
          addresses: [owner, solana],
        }),
        { ok: true },
      ),
  },
  {
    row: 'POST /client-error/report',
    accepts: () => app.ignored,
    ask: () =>
      alike(
        post('/client-error/report', {
          message: 'Cannot open',
          url: 'browser',
          platform: 'ios',
          appVersion: null,
          additionalData: { errorId: 'e1', errorTimestamp: 1_767_225_600_000 },
        }),
        { ok: true },
      ),
  },
];
