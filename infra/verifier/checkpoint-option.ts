import { Option } from 'commander';

/** Files of checkpoints; may be given several times. */
export function checkpointOption(): Option {
  return new Option('--checkpoint <file>', 'a checkpoint that you kept elsewhere; may be given several times')
    .argParser((file: string, before: readonly string[]) => [...before, file])
    .default([]);
}
