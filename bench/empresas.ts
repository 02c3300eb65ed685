import { checkDigit } from '@timbre/dte/values'
import type { Service } from './service.ts'

/** Whose documents they are: a service has more than one customer at a time. */
export const RUTS = ['76192083-9', '76086428-5', '77123456-9', '96790240-3']

/** So many that each of them issues one document at a time, however fast they come. */
export const CROWD = Array.from({ length: 40 }, (_, i) => 76_300_000 + i).map((rut) => `${rut}-${checkDigit(rut)}`)

/** Opens those of `ruts` that the service does not have from its start. */
export async function openEmpresas({ port, secret, rut: own }: Service, ruts = RUTS): Promise<void> {
  for (const rut of ruts.filter((one) => one !== own)) {
    const made = await fetch(`http://127.0.0.1:${port}/v1/empresas`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ rut, legal_name: 'Banco de Pruebas SpA' }),
    })
    if (made.status !== 201) throw new Error(await made.text())
  }
}
