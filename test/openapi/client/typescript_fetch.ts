import {
  BillingAdministrationApi,
  Configuration,
  HealthApi,
  ResponseError,
  TONTransactionsStatusConfigurationContractsApi,
  RevenueFromJSON,
  type Problem,
} from './client';

/* What a user of the client writes that openapi-generator makes for `typescript-fetch`: test/outside-client/generated-clients.test.ts runs it. */

const { API = '', TOKEN = '', TON = '', POSITION = '' } = process.env;
const configuration = new Configuration({ basePath: API, accessToken: TOKEN });
const billing = new BillingAdministrationApi(configuration);

async function refusedCode(): Promise<string | undefined> {
  const invoiceId = '6a1c0b7e-9b1d-4a57-8f0e-2f4d6c1b9a3e';
  try {
    await billing.instanceAdmin({
      instanceAdminRequest: { action: 'void_invoice', invoiceId, reason: 'wrong' },
    });
    return undefined;
  } catch (error) {
    return ((await (error as ResponseError).response.json()) as Problem).code;
  }
}

async function main(): Promise<void> {
  const health = await new HealthApi(configuration).getHealthReady();
  const history = await new TONTransactionsStatusConfigurationContractsApi(configuration).queryTransactionsV3(
    {
      queryTransactionsV3Request: {
        account: { tonAddress: TON, solanaAddress: '' },
        network: 'mainnet',
        cursor: {},
      },
    },
  );
  const revenue = await billing.instanceAdmin({
    instanceAdminRequest: { action: 'get_revenue' },
    xMinPosition: POSITION,
  });
  const answers = {
    health: health.status,
    history: history.data.flatMap(item => (item.type === 'ton' ? [item.data.hash] : [])),
    revenue: RevenueFromJSON(revenue).summary.map(row => row.totalFee),
    refused: await refusedCode(),
  };
  process.stdout.write(JSON.stringify(answers));
}

void main();
