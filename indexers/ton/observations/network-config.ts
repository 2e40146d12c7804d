import { Address, type Cell } from '@ton/core';
import {
  configParse18,
  configParseGasLimitsPrices,
  configParseMsgPrices,
  type GasLimitsPrices,
  type MsgPrices,
} from '@ton/ton/dist/config/ConfigParser';
import {
  FEE_PARAMETERS,
  tonNetworkConfig,
  type TonNetworkConfig,
} from '../../../contracts/chain/ton-network-config';
import { defineObservation } from '../../../contracts/observation/observation';
import { networkSubject, TON_SOURCE } from './source';

/** The configuration of a network that fees are computed from. It changes by votes of the validators. */
export const tonNetworkConfigObservation = defineObservation({
  kind: 'ton.network.config',
  subject: networkSubject,
  schema: tonNetworkConfig,
  source: TON_SOURCE,
  minAgeMs: 10_000,
  staleAfterMs: 600_000,
  ages: false,
  async read(clients, { network }) {
    const client = clients.ton(network);
    const { seqno } = await client.getLastBlock();
    return { height: seqno, data: configOf(await client.getConfig(seqno, FEE_PARAMETERS)) };
  },
});

/** @throws Error when a parameter that every network has is missing or malformed */
function configOf(parameters: ReadonlyMap<number, Cell>): TonNetworkConfig {
  const slice = (id: number) => parameters.get(id)?.beginParse();
  const dnsRoot = slice(4);
  const limits = parameters.get(43);
  return {
    dnsRoot: dnsRoot ? new Address(-1, dnsRoot.loadBuffer(32)).toRawString() : null,
    storage: configParse18(slice(18)).map(prices => ({
      since: prices.utime_since,
      bit: prices.bit_price_ps.toString(),
      cell: prices.cell_price_ps.toString(),
      masterchainBit: prices.mc_bit_price_ps.toString(),
      masterchainCell: prices.mc_cell_price_ps.toString(),
    })),
    gas: {
      masterchain: gasOf(configParseGasLimitsPrices(slice(20))),
      workchain: gasOf(configParseGasLimitsPrices(slice(21))),
    },
    messages: {
      masterchain: messagesOf(configParseMsgPrices(slice(24))),
      workchain: messagesOf(configParseMsgPrices(slice(25))),
    },
    limits: limits ? limitsOf(limits) : DEFAULT_LIMITS,
    parameters: Object.fromEntries(
      [...parameters].map(([id, cell]) => [id, cell.toBoc().toString('base64')]),
    ),
  };
}

function gasOf({ flatLimit, flatGasPrice, other }: GasLimitsPrices): TonNetworkConfig['gas']['workchain'] {
  const { gasPrice, gasLimit, specialGasLimit = gasLimit } = other;
  return {
    flatLimit: flatLimit.toString(),
    flatPrice: flatGasPrice.toString(),
    gasPrice: gasPrice.toString(),
    gasLimit: gasLimit.toString(),
    specialGasLimit: specialGasLimit.toString(),
    gasCredit: other.gasCredit.toString(),
    blockGasLimit: other.blockGasLimit.toString(),
    freezeDueLimit: other.freezeDueLimit.toString(),
    deleteDueLimit: other.deleteDueLimit.toString(),
  };
}

const messagesOf = (prices: MsgPrices): TonNetworkConfig['messages']['workchain'] => ({
  lumpPrice: prices.lumpPrice.toString(),
  bitPrice: prices.bitPrice.toString(),
  cellPrice: prices.cellPrice.toString(),
  ihrPriceFactor: prices.ihrPriceFactor,
  firstFraction: prices.firstFrac,
  nextFraction: prices.nextFrac,
});

/** What validators apply where the network has no parameter 43: `SizeLimitsConfig` of the node's `mc-config.h`. */
const DEFAULT_LIMITS: TonNetworkConfig['limits'] = {
  maxBits: 2 ** 21,
  maxCells: 2 ** 13,
  maxExternalSize: 65_535,
  maxExternalDepth: 512,
};

/** `size_limits_config#01` and `#02` of block.tlb, which begin alike; null for another form. */
function limitsOf(cell: Cell): TonNetworkConfig['limits'] {
  const slice = cell.beginParse();
  if (![0x01, 0x02].includes(slice.loadUint(8))) return null;
  const maxBits = slice.loadUint(32);
  const maxCells = slice.loadUint(32);
  slice.skip(32 + 16); // of libraries, and of the data of the virtual machine
  return { maxBits, maxCells, maxExternalSize: slice.loadUint(32), maxExternalDepth: slice.loadUint(16) };
}
