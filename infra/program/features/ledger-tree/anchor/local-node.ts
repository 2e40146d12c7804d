import { request } from 'undici';

/** Nanotons: enough for years. */
const GRANT = '10000000000';

/** Gives a wallet (raw) coins of a local network. @param url of its node */
export async function grantCoins(url: string, account: string): Promise<void> {
  const { statusCode, body } = await request(`${url}/faucet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: account, amount: GRANT }),
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`the faucet of the local network answers with ${statusCode}`);
}
