/**
 * What the form of the SII's free portal (SFG) has room for. The name of an item has 25 letters in one public client and 80
 * in another: the shorter holds in both.
 */
export const SFG_LIMITS = {
  tipos: [33, 34, 52, 56, 61],
  lines: 10,
  item_name: 25,
  references: 3,
  reference_reason: 90,
} as const
