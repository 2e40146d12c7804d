import { ENDPOINTS } from '../endpoints';
import { send } from './client';
import type { Installation } from './installation';

/** The endpoints that clients know, as the specification spells them: none may disappear. */
const SPECIFIED_ROUTES = [
  'GET /transactions/{address}',
  'POST /transactions/{address}',
  'GET /transactions/v2/{address}',
  'POST /transactions/v2/{address}',
  'POST /transactions/v3',
  'POST /ton/transactions/status/{network}',
  'GET /actions/{address}',
  'GET /rpc/{network}/block/latest',
  'GET /rpc/{network}/block/utime/{utime}',
  'GET /rpc/{network}/block/{seqno}',
  'GET /rpc/{network}/block/{seqno}/config',
  'GET /rpc/{network}/block/{seqno}/config/{ids}',
  'GET /rpc/{network}/block/{seqno}/{address}',
  'GET /rpc/{network}/block/{seqno}/{address}/lite',
  'GET /rpc/{network}/block/{seqno}/{address}/changed/{lt}',
  'GET /rpc/{network}/block/{seqno}/{address}/run/{method}',
  'GET /rpc/{network}/block/{seqno}/{address}/run/{method}/{args}',
  'GET /rpc/{network}/account/{address}/tx/{lt}/{hash}',
  'GET /rpc/{network}/account/{address}/tx/parsed/{lt}/{hash}',
  'POST /rpc/{network}/send',
  'GET /rpc/{network}/block/watch',
  'GET /rpc/{network}/block/watch/changed',
  'GET /config',
  'GET /appconfig/{network}',
  'GET /appconfig/versions/{network}',
  'GET /protect/allowed-domains',
  'GET /apps/metadata',
  'GET /apps/image',
  'GET /apps/catalog',
  'GET /apps/reviews',
  'POST /apps/reviews',
  'POST /apps/reports',
  'GET /wallet/banners',
  'GET /tonhub/banners',
  'GET /wallet/card-service/banners',
  'GET /tonhub/holders/banners',
  'GET /ads/banners',
  'GET /config/{address}',
  'GET /contract/info/{address}',
  'GET /metadata/{address}',
  'GET /hints/{address}',
  'GET /hints/full/{address}',
  'GET /hints/extra/{address}',
  'GET /mintless/jettons/{address}',
  'GET /mintless/jettons/{master}/transfer/{owner}/payload',
  'GET /jettons/metadata',
  'GET /jettons/rates/{key}',
  'GET /v2/price',
  'POST /v2/rates',
  'GET /v2/rates/chart',
  'POST /token/info',
  'POST /jettons/wallet/address',
  'GET /jettons/wallet/{walletAddress}',
  'POST /jettons/wallet/transactions',
  'GET /nfts/{address}',
  'GET /tokens/image',
  'GET /balances/old/{pubkey}',
  'GET /usde/{network}/rate',
  'GET /usde/{network}/apy',
  'POST /usde/staking/member/liquid/info',
  'POST /service-address/check',
  'POST /push/register',
  'POST /client-error/report',
  'GET /net/{network}/elections/latest',
  'GET /net/{network}/elections/latest/apy',
  'GET /net/{network}/elections/{id}',
  'POST /staking/member/info',
  'POST /staking/member/liquid/info',
  'GET /staking/{network}/pool/liquid/info',
  'GET /gasless/{network}/config',
  'POST /gasless/{network}/estimate',
  'POST /gasless/{network}/send',
  'GET /v2/gasless/config',
  'POST /v2/gasless/estimate/{master_id}',
  'POST /v2/gasless/send',
  'GET /staking-indexer/status',
  'GET /staking-indexer/status/{network}',
  'POST /staking-indexer/indexer/nominator',
  'POST /staking-indexer/indexer/pool/apy',
  'POST /connect/init',
  'POST /connect/answer',
  'POST /connect/grant',
  'POST /connect/revoke',
  'POST /connect/command',
  'GET /connect/{session}',
  'GET /connect/{session}/wait',
  'GET /connect/command/{appk}',
  'POST /solana/account/{network}',
  'POST /solana/tokens/{network}',
  'POST /solana/transactions/{network}',
  'POST /solana/transaction/{network}',
  'POST /solana/transaction/fees/{network}',
  'GET /solana/{network}/account/{address}/ws',
  'GET /tonconnect/events',
  'POST /tonconnect/message',
  'POST /tonconnect/verify',
  'POST /storage/read',
  'POST /storage/write',
  'GET /jsons/tonconnect-manifest.json',
  'POST /card/v2/user/wallet/connect',
  'POST /card/testnet/v2/user/wallet/connect',
  'POST /card/account/state',
  'POST /card/v2/profile/get',
  'POST /card/v2/promo/iban',
  'POST /card/v2/invite/wallet/check/v2',
  'GET /card/v2/updates',
  'POST /card/v2/account/list',
  'POST /card/v2/public/accounts',
  'POST /card/card/get',
  'POST /card/v2/card/events',
  'POST /card/v2/user/otp/requests',
  'POST /card/v2/user/otp/requests/confirm',
  'POST /card/v2/card/provisioning/list',
  'POST /card/v2/card/get/apple/provisioning/data',
  'POST /card/v2/card/get/google/provisioning/data',
  'GET /wallet-request/{address}/{network}/list',
  'POST /wallet-request/create',
  'POST /wallet-request/respond',
  'GET /wallet-request/{address}/{network}/watch/ws',
  'GET /exchange/currencies',
  'POST /exchange/estimate',
  'POST /exchange/transaction/create',
  'POST /exchange/transaction/details',
  'POST /exchange/transaction/resolve',
  'POST /exchange/transactions',
  'GET /exchange/transaction/{orderId}/history',
  'GET /exchange/widget',
  'GET /exchange/dex',
  'POST /api/instance-admin',
  'POST /api/fees',
  'GET /.well-known/tidemark-ledger-keys.json',
];

/** The wallet app spells some in its own way. */
const EXPECTED_ROUTES = SPECIFIED_ROUTES.flatMap(route =>
  route.includes(' /exchange/') ? [route, route.replace(' /exchange/', ' /changelly/')] : [route],
);

/** Every endpoint of the contracts, in all its spellings. */
const CONTRACT_ROUTES = ENDPOINTS.flatMap(({ method, path, aliases = [] }) =>
  [path, ...aliases].map(each => `${method.toUpperCase()} ${each}`),
);

export function routes(main: Installation): void {
  it('serves the paths and methods of the contracts, those of the specification among them', async () => {
    const { body } = await send(main.program.url, 'GET', '/openapi.json');
    const { paths } = body as { paths: Record<string, Record<string, unknown>> };
    const mounted = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    );
    expect(mounted.sort()).toEqual([...CONTRACT_ROUTES, 'GET /health/live', 'GET /health/ready'].sort());
    expect(EXPECTED_ROUTES.filter(route => !mounted.includes(route))).toEqual([]);

    for (const path of new Set(CONTRACT_ROUTES.map(each => each.split(' ')[1]!))) {
      const allowed = CONTRACT_ROUTES.filter(each => each.endsWith(` ${path}`)).map(
        each => each.split(' ')[0],
      );
      const { status, headers } = await send(main.program.url, 'PUT', path.replace(/\{\w+\}/g, 'mainnet'));
      expect([status, headers.get('allow')?.split(', ').sort()]).toEqual([405, allowed.sort()]);
    }
  });

  it.each(['/health/live', '/health/ready', '/openapi.json', '/docs/', '/devnet'])(
    'serves %s',
    async path => {
      expect((await send(main.program.url, 'GET', path)).status).toBe(200);
    },
  );

  it('serves what is for operators at an address of their own alone', async () => {
    const { url, operatorsUrl } = main.program;
    expect(new URL(operatorsUrl).hostname).toBe('127.0.0.1');
    expect((await send(operatorsUrl, 'GET', '/metrics')).status).toBe(200);
    expect(await (await fetch(operatorsUrl)).text()).toContain('/metrics and /health/ready');
    expect((await send(url, 'GET', '/metrics')).status).toBe(404);
    const { body } = await send(operatorsUrl, 'GET', '/health/ready');
    expect(body).toMatchObject({ status: 'ready', checks: { event_store: 'ok' } });
    expect((await send(url, 'GET', '/health/ready')).body).toEqual({ status: 'ready' });
  });
}
