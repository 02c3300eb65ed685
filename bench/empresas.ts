import type { Service } from './service.ts'

/** Whose documents they are: a service has more than one customer at a time. */
export const RUTS = ['76192083-9', '76086428-5', '77123456-9', '96790240-3']

/** Opens those of `RUTS` that the service does not have from its start. */
export async function openEmpresas({ port, secret, rut: own }: Service): Promise<void> {
  for (const rut of RUTS.filter((one) => one !== own)) {
    const made = await fetch(`http://127.0.0.1:${port}/v1/empresas`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ rut, legal_name: 'Banco de Pruebas SpA' }),
    })
    if (made.status !== 201) throw new Error(await made.text())
  }
}
