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

export type Ambiente = 'certificacion' | 'produccion'

const CERTIFICACION: readonly SiiHost[] = ['maullin.sii.cl', 'apicert.sii.cl', 'pangal.sii.cl', 'ws2.sii.cl']

/** The shared hosts (www1, www4, herculesr, zeusr) count as producción: RCV, F29 and SFG have real data only there. */
export function ambienteOf(host: SiiHost): Ambiente {
  return CERTIFICACION.includes(host) ? 'certificacion' : 'produccion'
}

export function isSiiHost(name: string): name is SiiHost {
  return (HOSTS as readonly string[]).includes(name)
}
