import { Option } from 'commander';

/** A file of checkpoints; repeatable. */
export function checkpointOption(): Option {
  return new Option('--checkpoint <file>', 'a checkpoint that you hold; repeatable')
    .argParser((file: string, before: readonly string[]) => [...before, file])
    .default([]);
}
