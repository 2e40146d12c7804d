import createClient from 'openapi-fetch';
import type { components, paths } from './api';

/*
 * What a user of the API writes, against the types that openapi-typescript has made of /openapi.json: compiled and run by
 * test/e2e/openapi.ts, which names the program, a token and the address of a wallet.
 */

type Schemas = components['schemas'];
/** But for those that answer a file. */
type Action = keyof Schemas['InstanceAdminResponses'];
type RequestOf<A extends Action> = Extract<Schemas['InstanceAdminRequest'], { action: A }>;

const { API = '', TOKEN = '', TON = '' } = process.env;
const client = createClient<paths>({ baseUrl: API });
const billing = createClient<paths>({ baseUrl: API, headers: { authorization: `Bearer ${TOKEN}` } });

/** One call of the billing administration; its result has the type of its action. */
async function act<A extends Action>(
  request: RequestOf<A>,
  after?: string,
): Promise<Schemas['InstanceAdminResponses'][A]> {
  const { data, error } = await billing.POST('/api/instance-admin', {
    params: { header: { ...(after !== undefined && { 'X-Min-Position': after }) } },
    body: request,
  });
  if (error) throw new Error(error.detail);
  return data as Schemas['InstanceAdminResponses'][A];
}

async function bill() {
  const merchant = { merchant_id: 'client', merchant_name: 'Client', merchant_slug: 'client' };
  const fee = { fee_type: 'generated', fee_amount: '1.25', gross_amount: '100', ...merchant };
  const recorded = await billing.POST('/api/fees', {
    body: { fees: [{ ...fee, id: 'client-1', collection_status: 'collected' }] },
  });
  if (recorded.error) throw new Error(recorded.error.detail);
  const results: ('recorded' | 'unchanged' | 'refused')[] = recorded.data.results.map(({ result }) => result);
  const position = recorded.response.headers.get('X-Ledger-Position') ?? undefined;

  const { byMerchant } = await act({ action: 'get_revenue' }, position);
  const { rows } = await act({ action: 'list_fee_ledger', feeType: 'generated' });
  const statuses: ('pending' | 'collected' | 'waived' | 'reversed')[] = rows.map(
    row => row.collection_status,
  );
  const { csv }: { csv: string } = await act({ action: 'export_revenue_csv' });

  // @ts-expect-error there is no such action
  const unknown = await act({ action: 'delete_everything' }).catch(({ message }: Error) => message);
  // @ts-expect-error a settlement is generated for a month
  const incomplete = await act({ action: 'generate_settlement' }).catch(({ message }: Error) => message);
  return {
    results,
    collected: byMerchant.find(({ merchant_id: id }) => id === 'client')?.collected,
    statuses,
    rows: csv.trim().split('\r\n').length - 1,
    unknown,
    incomplete,
  };
}

async function read() {
  const page = await client.POST('/transactions/v3', {
    body: { account: { tonAddress: TON, solanaAddress: '' }, network: 'mainnet', limit: 5 },
  });
  const chains: ('ton' | 'solana')[] = page.data?.data.map(({ type }) => type) ?? [];
  const config = await client.GET('/appconfig/{network}', { params: { path: { network: 'mainnet' } } });
  const timeout: number | undefined = config.data?.txTimeout;
  const price = await client.GET('/v2/price');
  const usd: number | undefined = price.data?.price.usd;

  const refused = await client.GET('/transactions/{address}', {
    params: { path: { address: 'nobody' }, query: { limit: 5 } },
  });
  const isAddressAtFault = refused.error?.code === 'invalid_request';
  const field: string | undefined = refused.error?.errors?.[0]?.pointer;
  return { chains, timeout, usd, isAddressAtFault, field };
}

void (async () => {
  process.stdout.write(JSON.stringify({ ...(await bill()), ...(await read()) }));
})();
