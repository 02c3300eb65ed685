/** The two environments of the SII: maullin, where software is certified, and palena, where tax is owed. */
export type Ambiente = 'certificacion' | 'produccion'

/** What each host of the SII is for. */
export type SiiService =
  | 'dte' // SOAP services, uploads, folio portal, register of cesiones
  | 'boleta_api' // seed, token and status of boletas
  | 'boleta_upload'
  | 'claims' // acceptance and claims of received documents
  | 'login_certificate'
  | 'login_clave'
  | 'portal' // RCV, F29
  | 'mipyme' // free invoicing (SFG)

export type SiiHosts = Readonly<Record<SiiService, string>>

const COMMON = {
  login_certificate: 'https://herculesr.sii.cl',
  login_clave: 'https://zeusr.sii.cl',
  portal: 'https://www4.sii.cl',
  mipyme: 'https://www1.sii.cl',
} as const

/** Origins by environment. RCV, F29 and free invoicing exist once, with real data. */
export const SII_HOSTS: Readonly<Record<Ambiente, SiiHosts>> = {
  certificacion: {
    ...COMMON,
    dte: 'https://maullin.sii.cl',
    boleta_api: 'https://apicert.sii.cl',
    boleta_upload: 'https://pangal.sii.cl',
    claims: 'https://ws2.sii.cl',
  },
  produccion: {
    ...COMMON,
    dte: 'https://palena.sii.cl',
    boleta_api: 'https://api.sii.cl',
    boleta_upload: 'https://rahue.sii.cl',
    claims: 'https://ws1.sii.cl',
  },
}

/** The same hosts behind a simulator: their names become the first segment of the path. */
export function simulatedHosts(base_url: string): Readonly<Record<Ambiente, SiiHosts>> {
  const base = base_url.endsWith('/') ? base_url.slice(0, -1) : base_url
  const behind = (hosts: SiiHosts) =>
    Object.fromEntries(Object.entries(hosts).map(([service, origin]) => [service, `${base}/${new URL(origin).host}`]))
  return {
    certificacion: behind(SII_HOSTS.certificacion) as SiiHosts,
    produccion: behind(SII_HOSTS.produccion) as SiiHosts,
  }
}
