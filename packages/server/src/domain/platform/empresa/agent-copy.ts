import { printedRut } from '@timbre/dte/values'
import { type Irreversible, quoted } from '../../agent-tool.ts'
import type { Empresa } from './schema.ts'

export const deletesEmpresa: Irreversible<null> = {
  before: 'empresas.get',
  says: () => 'Se va a eliminar la empresa de prueba con todo lo que contiene. No se puede recuperar.',
  shows: () => ({}),
}

const ARCHIVES =
  'Se va a archivar la empresa: deja de emitir y de recibir correo, y se borran su certificado y su clave del SII. No se ' +
  'puede deshacer.'
const answersTo = (email: string | null) =>
  email === null
    ? 'Los correos de esta empresa ya no dirán a dónde responder.'
    : `Desde ahora las respuestas a los correos de esta empresa llegan a ${quoted(email)}.`

const factsOf = ({ legal_name, giro, address, emission_channel, doc_types, resolucion }: Empresa) => ({
  legal_name,
  giro,
  address,
  emission_channel,
  doc_types,
  resolucion,
})

/** What is printed on every document of the empresa, what it may issue, where its answers go, whether it goes on at all. */
export const changesEmpresa: Irreversible<Empresa> = {
  before: 'empresas.get',
  says: ({ legal_name, giro, contact_email }, input) => {
    const { status, contact_email: answers, ...printed } = input
    const facts = Object.keys(printed).filter((field) => field !== 'empresa_id')
    return [
      ...(facts.length === 0
        ? []
        : [
            `Se van a cambiar los datos de la empresa, que desde ahora llevan sus documentos (${facts.join(', ')}). ` +
              `Queda como ${quoted(legal_name)}${giro === null ? '' : `, giro ${quoted(giro)}`}.`,
          ]),
      ...(answers === undefined ? [] : [answersTo(contact_email)]),
      ...(status === 'archived' ? [ARCHIVES] : []),
    ].join(' ')
  },
  shows: (empresa) => ({ ...factsOf(empresa), status: empresa.status, contact_email: empresa.contact_email }),
}

export const createsEmpresa: Irreversible<Empresa> = {
  says: ({ legal_name, rut }) =>
    `Se va a crear la empresa ${quoted(legal_name)} (RUT ${printedRut(rut)}) en tu cuenta, y con ella se podrá emitir.`,
  shows: (empresa) => ({ rut: empresa.rut, ...factsOf(empresa), contact_email: empresa.contact_email }),
}
