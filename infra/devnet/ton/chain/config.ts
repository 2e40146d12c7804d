import { Cell, Dictionary, beginCell } from '@ton/core';
import { defaultConfig } from '@ton/sandbox/dist/config/defaultConfig';
import type { TonNetwork } from '../../../../contracts/network';

const GLOBAL_ID_PARAM = 19;
const GLOBAL_IDS: Record<TonNetwork, number> = { mainnet: -239, testnet: -3 };

/** Address of the configuration contract, as the v4 API reports it. */
export const CONFIG_ADDRESS = `-1:${'5'.repeat(64)}`;

export interface ChainConfig {
  /** The whole configuration: a dictionary of parameters, as a base64 bag of cells. */
  readonly boc: string;
  /** The same with only the given parameters; missing ones are omitted. */
  subset(ids: readonly number[]): string;
}

const parse = (boc: string): Dictionary<number, Cell> =>
  Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), Cell.fromBase64(boc));

const serialize = (params: Dictionary<number, Cell>): string =>
  beginCell().storeDictDirect(params).endCell().toBoc({ idx: false }).toString('base64');

let bundled: Dictionary<number, Cell> | undefined;

/** A copy of the configuration that the sandbox bundles, whose thousands of cells are parsed once for all networks. */
function bundledParams(): Dictionary<number, Cell> {
  bundled ??= parse(defaultConfig);
  const params = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  for (const [id, param] of bundled) params.set(id, param);
  return params;
}

/** The main network's configuration as the sandbox bundles it, elections included, with the global id of the network. */
export function chainConfig(network: TonNetwork): ChainConfig {
  const params = bundledParams();
  params.set(GLOBAL_ID_PARAM, beginCell().storeInt(GLOBAL_IDS[network], 32).endCell());
  return {
    boc: serialize(params),
    subset(ids) {
      const chosen = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
      for (const id of ids) {
        const param = params.get(id);
        if (param) chosen.set(id, param);
      }
      return chosen.size === 0 ? Cell.EMPTY.toBoc().toString('base64') : serialize(chosen);
    },
  };
}
