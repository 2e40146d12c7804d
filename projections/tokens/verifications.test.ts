import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { TOKEN } from '../../test/events/samples/token';
import { tokenVerificationsProjection } from './verifications';

const set = (stream: string, change: object) =>
  [stream, { type: 'TokenVerificationSet', data: { ...TOKEN.TokenVerificationSet, ...change } }] as const;

it('keeps the last verification of each token, on each network, and none that was set back', async () => {
  const { address } = TOKEN.TokenVerificationSet;
  const other = `0:${'cd'.repeat(32)}`;
  await given(
    tokenVerificationsProjection,
    history(
      set('token-a', {}),
      set('token-b', { address: other }),
      set('token-c', { network: 'testnet', verification: 'blacklist' }),
      set('token-a', { verification: 'blacklist' }),
      set('token-b', { address: other, verification: 'none' }),
    ),
  ).then({
    token_verifications: [
      { _id: `ton:mainnet:${address}`, network: 'mainnet', address, verification: 'blacklist' },
      { _id: `ton:testnet:${address}`, network: 'testnet', address, verification: 'blacklist' },
    ],
  });
});
