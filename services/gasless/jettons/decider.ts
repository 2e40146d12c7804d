import { refuse, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import {
  gaslessJettonEvents,
  type GaslessJettonEvent,
  type GaslessJettonPlace,
  type JettonCode,
} from '../../../contracts/events/gasless-jetton';
import type { StreamKind } from '../../commands/stream-kind';

/** A jetton that pays for transfers. */
export interface ListedJetton {
  /** Raw. */
  readonly master: string;
  readonly decimals: number;
  /** So many of it are paid for a TON, a decimal; null: as its pools say. */
  readonly perTon: string | null;
  /** What it was when it was listed; null until somebody has read it. */
  readonly code: JettonCode | null;
  readonly isPaused: boolean;
  /** Of the last change: RFC 3339 instant, and the operator. */
  readonly at: string;
  readonly by: string;
}

/** As a setting names one. */
export type NamedJetton = Pick<ListedJetton, 'master' | 'decimals' | 'perTon'>;

/** By master, in the order in which they were listed; null before the first was. */
export type ListedJettons = ReadonlyMap<string, ListedJetton> | null;

/** What is decided about one jetton. */
export type JettonChange =
  | ({ readonly type: 'list'; readonly code: JettonCode } & Omit<NamedJetton, 'master'>)
  | { readonly type: 'pause' | 'resume' | 'delist' }
  | { readonly type: 'price'; readonly perTon: string | null }
  | { readonly type: 'recordCode'; readonly code: JettonCode };

export type JettonCommand = {
  readonly metadata: CommandMetadata;
  readonly place: GaslessJettonPlace;
} & (
  | { readonly type: 'import'; readonly jettons: readonly NamedJetton[] }
  | ({ readonly master: string } & JettonChange)
);

/** The jettons that pay for the transfers of a network. What settings name is the list of the first start alone. */
export const gaslessJettonKind: StreamKind<ListedJettons, JettonCommand, GaslessJettonEvent> = {
  events: gaslessJettonEvents,
  decider: { initial: () => null, evolve, decide },
};

/** `3.2` for `3.20` and `003.2`, so that the same price is the same text. */
export function shortestPrice(perTon: string | null): string | null {
  if (perTon === null) return null;
  const [whole = '', fraction = ''] = perTon.split('.');
  const digits = fraction.replace(/(?<!0)0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '')}${digits && `.${digits}`}`;
}

function evolve(before: ListedJettons, { type, data }: GaslessJettonEvent): ListedJettons {
  const jettons = new Map(before);
  const { master, at, by } = data;
  const change = (changed: Partial<ListedJetton>): void => {
    const known = jettons.get(master);
    if (known) jettons.set(master, { ...known, ...changed });
  };
  switch (type) {
    case 'GaslessJettonListed': {
      const { decimals, code } = data;
      const perTon = shortestPrice(data.perTon);
      jettons.set(master, { master, decimals, perTon, code, isPaused: false, at, by });
      break;
    }
    case 'GaslessJettonCodeRecorded':
      change({ code: data.code });
      break;
    case 'GaslessJettonPaused':
      change({ isPaused: true, at, by });
      break;
    case 'GaslessJettonResumed':
      change({ isPaused: false, at, by });
      break;
    case 'GaslessJettonPriced':
      change({ perTon: shortestPrice(data.perTon), at, by });
      break;
    case 'GaslessJettonDelisted':
      jettons.delete(master);
  }
  return jettons;
}

function decide(state: ListedJettons, command: JettonCommand): readonly GaslessJettonEvent[] | Refusal {
  const aboutOf = (master: string) => {
    const { now: at, actor: by } = command.metadata;
    return { ...command.place, master, at, by };
  };
  if (command.type === 'import')
    return state === null
      ? command.jettons.map(({ master, decimals, perTon }) => ({
          type: 'GaslessJettonListed',
          data: { ...aboutOf(master), decimals, perTon: shortestPrice(perTon), code: null },
        }))
      : [];

  const { master } = command;
  const about = aboutOf(master);
  const known = state?.get(master);
  if (command.type === 'list') {
    if (known) return refuse('gasless_jetton_listed', 'This jetton is listed already.');
    const { decimals, code } = command;
    const perTon = shortestPrice(command.perTon);
    return [{ type: 'GaslessJettonListed', data: { ...about, decimals, perTon, code } }];
  }
  if (!known) return refuse('gasless_jetton_not_listed', 'No such jetton is listed.');
  switch (command.type) {
    case 'pause':
      return known.isPaused ? [] : [{ type: 'GaslessJettonPaused', data: about }];
    case 'resume':
      return known.isPaused ? [{ type: 'GaslessJettonResumed', data: about }] : [];
    case 'delist':
      return [{ type: 'GaslessJettonDelisted', data: about }];
    case 'price': {
      const perTon = shortestPrice(command.perTon);
      return perTon === known.perTon ? [] : [{ type: 'GaslessJettonPriced', data: { ...about, perTon } }];
    }
    case 'recordCode':
      return known.code
        ? []
        : [{ type: 'GaslessJettonCodeRecorded', data: { ...about, code: command.code } }];
  }
}
