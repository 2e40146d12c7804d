import { Cell, Dictionary, beginCell } from '@ton/core';
import { defaultConfig } from '@ton/sandbox/dist/config/defaultConfig';
import { LRUCache } from 'lru-cache';
import { TON_GLOBAL_IDS, type TonNetwork } from '../../../../contracts/network/network';
import { type ElectionSchedule, ROUND, phaseKey } from '../elections/schedule';
import { validatorSetCell, validatorsOf } from '../elections/validators';

const ROUNDS_PARAM = 15;
const VALIDATOR_COUNTS_PARAM = 16;
const GLOBAL_ID_PARAM = 19;
const PREVIOUS_SET_PARAM = 32;
const CURRENT_SET_PARAM = 34;
const NEXT_SET_PARAM = 36;
const VALIDATOR_COUNTS = { max: 400, main: 100, min: 5 } as const;

/** Address of the configuration contract, as the v4 API reports it. */
export const CONFIG_ADDRESS = `-1:${'5'.repeat(64)}`;

export interface ChainConfig {
  /** The whole configuration: a dictionary of parameters, as a base64 bag of cells. */
  readonly boc: string;
  /** The same with only the given parameters; missing ones are omitted. */
  subset(ids: readonly number[]): string;
}

/** Configurations by the time of the block. */
export interface ChainConfigs {
  /** @param utime Unix seconds */
  at(utime: number): ChainConfig;
}

const MAX_CACHED = 8;

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

/**
 * The main network's configuration as the sandbox bundles it, with the global id of the network and the validators that its
 * elections elect.
 */
export function chainConfig(network: TonNetwork, elections: ElectionSchedule): ChainConfigs {
  const params = bundledParams();
  params.set(GLOBAL_ID_PARAM, beginCell().storeInt(TON_GLOBAL_IDS[network], 32).endCell());
  params.set(ROUNDS_PARAM, rounds());
  params.set(VALIDATOR_COUNTS_PARAM, validatorCounts());
  const cache = new LRUCache<string, ChainConfig>({ max: MAX_CACHED });
  const setOf = (round: number): Cell => validatorSetCell(validatorsOf(round), elections.startOf(round));

  return {
    at(utime) {
      const phase = elections.phaseAt(utime);
      const cached = cache.get(phaseKey(phase));
      if (cached) return cached;
      const { round, step } = phase;
      params.set(PREVIOUS_SET_PARAM, setOf(round - 1));
      params.set(CURRENT_SET_PARAM, setOf(round));
      if (step === 'elected') params.set(NEXT_SET_PARAM, setOf(round + 1));
      else params.delete(NEXT_SET_PARAM);
      const config = fixedConfig(params);
      cache.set(phaseKey(phase), config);
      return config;
    },
  };
}

function fixedConfig(params: Dictionary<number, Cell>): ChainConfig {
  const all = new Map(params);
  return {
    boc: serialize(params),
    subset(ids) {
      const chosen = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
      for (const id of ids) {
        const param = all.get(id);
        if (param) chosen.set(id, param);
      }
      return chosen.size === 0 ? Cell.EMPTY.toBoc().toString('base64') : serialize(chosen);
    },
  };
}

function rounds(): Cell {
  const { electedFor, startBefore, endBefore, heldFor } = ROUND;
  const times = beginCell();
  for (const seconds of [electedFor, startBefore, endBefore, heldFor]) times.storeUint(seconds, 32);
  return times.endCell();
}

/** As on the main network, but for the minimum. */
function validatorCounts(): Cell {
  const { max, main, min } = VALIDATOR_COUNTS;
  return beginCell().storeUint(max, 16).storeUint(main, 16).storeUint(min, 16).endCell();
}
