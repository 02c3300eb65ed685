/** Which part of the SII a host name stands for, in both environments. */
export const HOSTS = [
  'maullin.sii.cl',
  'palena.sii.cl',
  'apicert.sii.cl',
  'api.sii.cl',
  'pangal.sii.cl',
  'rahue.sii.cl',
  'ws1.sii.cl',
  'ws2.sii.cl',
  'herculesr.sii.cl',
  'zeusr.sii.cl',
  'www4.sii.cl',
  'www1.sii.cl',
] as const

export type SiiHost = (typeof HOSTS)[number]
