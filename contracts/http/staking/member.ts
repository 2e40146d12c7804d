import { z } from 'zod';
import { networkOf, tonAccount } from '../../account/ton-account';
import { endpoint } from '../endpoint';
import { LOCAL } from '../local-accounts';
import { tonAddress } from '../ton/fields';

export const STAKING = 'Staking';

/** Wallets ask for all pools that they know, which are about a dozen. */
export const MAX_POOLS = 100;

const nanotons = z.string().regex(/^\d+$/).meta({ description: 'Nanotons, decimal' });

const memberInfo = z.object({
  balance: nanotons,
  pendingDeposit: nanotons,
  pendingWithdraw: nanotons,
  withdraw: nanotons.meta({ description: 'Nanotons, decimal, that are ready to be withdrawn' }),
  seqno: z.int().nullable().meta({ description: 'The masterchain block as of which it was read' }),
  at: z.iso.datetime().meta({ description: 'When it was read from the chain' }),
});
export type MemberInfo = z.output<typeof memberInfo>;

export const stakingMemberInfo = endpoint({
  group: STAKING,
  method: 'POST',
  path: '/staking/member/info',
  summary:
    'What an account has in nominator pools; zeros where it has nothing, and for a contract that is not a nominator pool',
  examples: [{ body: { isTestnet: false, address: LOCAL.dave, pools: [LOCAL.stakingPool] } }],
  body: z.object({
    isTestnet: z.boolean().optional(),
    /** The member. */
    address: tonAddress,
    pools: z.array(tonAddress).max(MAX_POOLS),
  }),
  bodyLimit: 256 * 1024,
  response: z
    .record(z.string(), memberInfo)
    .meta({ description: 'By pool, in the form in which it was asked for' }),
  watches: true,
  errors: ['network_mismatch', 'source_wrong_network', 'rate_limited'],
  needs: ({ body }) => [tonAccount(body.address, networkOf(body.isTestnet), '/body/isTestnet')],
});
