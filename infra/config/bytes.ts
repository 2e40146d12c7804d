export const KIBIBYTE = 1_024;
export const MEBIBYTE = KIBIBYTE * KIBIBYTE;
