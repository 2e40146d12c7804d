import { z } from 'zod';
import type { Commitment } from '../chain/ledger';
import { overlayAt } from '../chain/unfinalized';
import { method, type Method, type Node, withContext } from './method';
import { context, orEncoding } from './params';

const LARGEST = 20;

const supplyConfig = orEncoding(
  z.looseObject({ ...context.shape, excludeNonCirculatingAccountsList: z.boolean().nullish() }),
);
const largestConfig = orEncoding(
  z.looseObject({ ...context.shape, filter: z.enum(['circulating', 'nonCirculating']).nullish() }),
);

/** What an account had at a commitment. */
const lamportsAt = ({ accounts }: Node, address: string, commitment: Commitment): bigint =>
  accounts.at(address, commitment)?.lamports ?? 0n;

/** All lamports at a commitment: what fees burnt is gone. */
function totalAt(node: Node, commitment: Commitment): bigint {
  const { chain, engine } = node;
  chain.flush();
  return [...overlayAt(chain.unfinalized, commitment)].reduce(
    (sum, [address, before]) => sum + (before?.lamports ?? 0n) - (engine.account(address)?.lamports ?? 0n),
    chain.queries.totalLamports(),
  );
}

function largestAt(node: Node, commitment: Commitment): { address: string; lamports: number }[] {
  const { chain } = node;
  chain.flush();
  const overlay = overlayAt(chain.unfinalized, commitment);
  // Each changed account may take the place of one of the largest.
  const candidates = new Set([
    ...chain.queries.largestAccounts(LARGEST + 1 + overlay.size),
    ...overlay.keys(),
  ]);
  return [...candidates]
    .map(address => ({ address, lamports: Number(lamportsAt(node, address, commitment)) }))
    .filter(({ lamports }) => lamports > 0)
    .sort((one, other) => other.lamports - one.lamports);
}

/** Methods about all lamports. Those of the faucet do not circulate: nobody has received them. */
export const SUPPLY_METHODS: Readonly<Record<string, Method>> = {
  getSupply: method([supplyConfig], (node, config) => {
    const total = totalAt(node, config.commitment);
    const { address } = node.faucet;
    const nonCirculating = lamportsAt(node, address, config.commitment);
    return withContext(node, config, {
      total: Number(total),
      circulating: Number(total - nonCirculating),
      nonCirculating: Number(nonCirculating),
      nonCirculatingAccounts: config.excludeNonCirculatingAccountsList === true ? [] : [address],
    });
  }),
  getLargestAccounts: method([largestConfig], (node, config) => {
    const isWanted = (address: string): boolean =>
      !config.filter || (address === node.faucet.address) === (config.filter === 'nonCirculating');
    const largest = largestAt(node, config.commitment).filter(({ address }) => isWanted(address));
    return withContext(node, config, largest.slice(0, LARGEST));
  }),
};
