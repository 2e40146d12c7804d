import { getHealthReady, instanceAdmin, queryTransactionsV3, type Revenue } from './client';

/* What a user of the client writes that orval makes: test/outside-client/generated-clients.test.ts runs it. */

const { TOKEN = '', TON = '', POSITION = '' } = process.env;
const headers = { authorization: `Bearer ${TOKEN}`, 'X-Min-Position': POSITION };

async function main(): Promise<void> {
  const health = await getHealthReady();
  const history = await queryTransactionsV3({
    account: { tonAddress: TON, solanaAddress: '' },
    network: 'mainnet',
    cursor: {},
  });
  const revenue = await instanceAdmin({ action: 'get_revenue' }, { headers });
  const invoiceId = '6a1c0b7e-9b1d-4a57-8f0e-2f4d6c1b9a3e';
  const refused = await instanceAdmin({ action: 'void_invoice', invoiceId, reason: 'wrong' }, { headers });
  const answers = {
    health: health.data.status,
    history:
      history.status === 200
        ? history.data.data.flatMap(item => (item.type === 'ton' ? [item.data.hash] : []))
        : [],
    revenue:
      revenue.status === 200 ? (revenue.data as unknown as Revenue).summary.map(row => row.total_fee) : [],
    refused: refused.status === 404 ? refused.data.code : undefined,
  };
  process.stdout.write(JSON.stringify(answers));
}

void main();
