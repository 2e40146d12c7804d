import { Option } from 'commander';

/** A file of checkpoints; repeatable. */
export function checkpointOption(): Option {
  return repeatable('--checkpoint <file>', 'a checkpoint that you hold; repeatable');
}

/** A file of an option that may be given several times. */
export function repeatable(flags: string, description: string): Option {
  return new Option(flags, description)
    .argParser((file: string, before: readonly string[]) => [...before, file])
    .default([], 'none');
}
