/** How a process ends. Further ones are of single commands, whose help names them. */
export const EXIT_CODES = {
  ok: 0,
  failed: 1,
  /** `EX_USAGE` of sysexits.h: the command line or a setting is wrong, and nothing was done. */
  usage: 64,
} as const;
