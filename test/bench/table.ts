import { table } from '../../infra/program/commands/output';
import type { Figure } from './figure';

const HEAD = ['row', 'measured', '', 'floor', 'ratio', 'quartiles', 'goal', 'reached', ''];

const short = (value: number): string =>
  value >= 1_000 ? Math.round(value).toLocaleString('en') : value >= 10 ? value.toFixed(1) : value.toFixed(2);

function goalOf({ goal, unit }: Figure): string {
  if (!goal) return '';
  const bound = 'atLeast' in goal ? `>= ${short(goal.atLeast)}` : `<= ${short(goal.atMost)}`;
  return goal.of === 'ratio' ? `ratio ${bound}` : `${bound} ${unit}`;
}

const line = (figure: Figure): string[] => [
  figure.what,
  short(figure.value),
  figure.unit,
  short(figure.floor),
  figure.ratio.toFixed(2),
  figure.spread ? figure.spread.map(ratio => ratio.toFixed(2)).join('-') : '',
  goalOf(figure),
  figure.goal ? (figure.reached ? 'yes' : 'NO') : '',
  figure.note ?? '',
];

/** Lines of text, the header first. */
export function tableOf(figures: readonly Figure[]): string[] {
  return table([HEAD, ...figures.map(line)]);
}
