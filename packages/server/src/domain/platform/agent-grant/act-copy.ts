import type { AgentActRow } from './acts-store.ts'

/** An act in words: what it did, what it wanted to do, and to what. */
type ActWords = readonly [did: string, to: string, what: string]

/** Every act that an agent is able to, by its operation: a person reads here what was done in their name. */
export const ACT_WORDS: Readonly<Record<string, ActWords>> = {
  'automation_settings.update': ['Cambió', 'cambiar', 'las automatizaciones'],
  'branding.update': ['Cambió', 'cambiar', 'cómo se imprimen los documentos'],
  'cafs.annul': ['Anuló', 'anular', 'folios sin usar'],
  'cafs.deactivate': ['Desactivó', 'desactivar', 'un CAF'],
  'cafs.upload': ['Subió', 'subir', 'un CAF'],
  'connections.create': ['Pidió conectar', 'conectar', 'un banco'],
  'connections.delete': ['Quitó', 'quitar', 'la conexión con un banco'],
  'connections.reconnect': ['Pidió volver a conectar', 'volver a conectar', 'un banco'],
  'connections.sync': ['Actualizó', 'actualizar', 'los movimientos del banco'],
  'counterparties.contacts.create': ['Agregó', 'agregar', 'un contacto'],
  'counterparties.contacts.delete': ['Borró', 'borrar', 'un contacto'],
  'counterparties.contacts.update': ['Cambió', 'cambiar', 'un contacto'],
  'counterparties.update': ['Anotó los datos de', 'anotar los datos de', 'un cliente o proveedor'],
  'documents.cede': ['Pidió ceder', 'ceder', 'una factura'],
  'documents.create': ['Emitió', 'emitir', 'un documento'],
  'documents.credit_note': ['Emitió', 'emitir', 'una nota de crédito'],
  'documents.invoice_guias': ['Facturó guías con', 'facturar guías con', 'una factura'],
  'documents.payments.create': ['Anotó el pago de', 'anotar el pago de', 'un documento'],
  'documents.payments.delete': ['Borró', 'borrar', 'un pago anotado'],
  'documents.public_links.create': ['Creó un enlace público de', 'crear un enlace público de', 'un documento'],
  'documents.public_links.delete': ['Borró los enlaces públicos de', 'borrar los enlaces públicos de', 'un documento'],
  'documents.retry': ['Volvió a intentar', 'volver a intentar', 'un documento'],
  'documents.send': ['Envió por correo', 'enviar por correo', 'un documento'],
  'empresas.create': ['Creó', 'crear', 'una empresa'],
  'empresas.delete': ['Borró', 'borrar', 'una empresa de prueba'],
  'empresas.update': ['Cambió', 'cambiar', 'los datos de la empresa'],
  'folios.request': ['Pidió', 'pedir', 'folios al SII'],
  'onboarding.steps.recheck': ['Pidió revisar', 'pedir que se revise', 'un paso de la puesta en marcha'],
  'received_documents.accept': ['Aceptó', 'aceptar', 'un documento de un proveedor'],
  'received_documents.acknowledge_receipt': ['Dio por recibido', 'dar por recibido', 'lo de un proveedor'],
  'received_documents.payments.create': ['Anotó el pago de', 'anotar el pago de', 'un documento de un proveedor'],
  'received_documents.payments.delete': ['Borró', 'borrar', 'un pago anotado a un proveedor'],
  'received_documents.quarantine.discard': ['Descartó', 'descartar', 'un archivo en cuarentena'],
  'received_documents.quarantine.release': ['Sacó de la cuarentena', 'sacar de la cuarentena', 'un archivo'],
  'received_documents.reject': ['Reclamó', 'reclamar', 'un documento de un proveedor'],
  'tax.expenses.create': ['Anotó', 'anotar', 'un gasto'],
  'tax.expenses.delete': ['Borró', 'borrar', 'un gasto anotado'],
  'tax.expenses.update': ['Corrigió', 'corregir', 'un gasto anotado'],
  'tax.f29.filings.create': ['Declaró', 'declarar', 'el F29'],
  'tax.f29.proposals.public_links.create': ['Creó', 'crear', 'un enlace público del F29'],
  'tax.f29.proposals.public_links.delete': ['Borró', 'borrar', 'el enlace público del F29'],
  'tax.f29.proposals.recompute': ['Recalculó', 'recalcular', 'la propuesta del F29'],
  'tax.movements.match': ['Calzó', 'calzar', 'un movimiento del banco'],
  'tax.movements.merge': ['Unió', 'unir', 'dos movimientos del banco'],
  'tax.movements.unmatch': ['Deshizo el calce de', 'deshacer el calce de', 'un movimiento del banco'],
  'tax.movements.unmerge': ['Separó', 'separar', 'dos movimientos del banco'],
  'tax.purchases.characterize': ['Clasificó', 'clasificar', 'una compra'],
  'tax.purchases.characterize_many': ['Clasificó', 'clasificar', 'varias compras'],
  'tax.purchases.estado_contable': ['Movió en el registro', 'mover en el registro', 'una compra'],
  'tax.purchases.revert': ['Deshizo la clasificación de', 'deshacer la clasificación de', 'una compra'],
  'tax.statements.create': ['Subió', 'subir', 'una cartola'],
  'tax.statements.delete': ['Deshizo', 'deshacer', 'una cartola'],
  'tax.suggestions.confirm': ['Hizo lo que proponía', 'hacer lo que propone', 'una sugerencia'],
  'tax.suggestions.dismiss': ['Descartó', 'descartar', 'una sugerencia'],
  'tax.sync': ['Leyó de nuevo', 'leer de nuevo', 'un mes en el SII'],
  'test_helpers.clock.set': ['Movió', 'mover', 'el reloj de prueba'],
  'test_helpers.documents.estado': ['Decidió, en la prueba, qué pasa con', 'decidir qué pasa con', 'un documento'],
  'test_helpers.documents.receptor_response': [
    'Contestó, en la prueba, por el receptor de',
    'contestar',
    'un documento',
  ],
  'test_helpers.f29.proposals': ['Ajustó, en la prueba,', 'ajustar', 'lo que propone el SII'],
  'test_helpers.f29.validations': ['Ajustó, en la prueba,', 'ajustar', 'lo que objeta el SII'],
  'test_helpers.onboarding.move_step': ['Movió, en la prueba,', 'mover', 'un paso de la puesta en marcha'],
  'test_helpers.onboarding.rehearse': ['Ensayó', 'ensayar', 'una puesta en marcha'],
  'test_helpers.rcv.seed': ['Llenó, en la prueba,', 'llenar', 'el registro de compras y ventas'],
  'test_helpers.received_documents.create': ['Recibió, en la prueba,', 'recibir', 'un documento de un proveedor'],
  'test_helpers.seed': ['Llenó la prueba con', 'llenar la prueba con', 'un año de negocio'],
  'webhook_endpoints.create': ['Creó', 'crear', 'un aviso a otro sistema'],
  'webhook_endpoints.delete': ['Borró', 'borrar', 'un aviso a otro sistema'],
  'webhook_endpoints.deliveries.retry': ['Repitió', 'repetir', 'un aviso a otro sistema'],
  'webhook_endpoints.ping': ['Probó', 'probar', 'un aviso a otro sistema'],
  'webhook_endpoints.update': ['Cambió', 'cambiar', 'un aviso a otro sistema'],
}

/** What agents were able to once: it is shown for as long as its rows are kept. */
export const FORMER_ACT_WORDS: Readonly<Record<string, ActWords>> = {
  'webhook_endpoints.rotate_secret': ['Cambió el secreto de', 'cambiar el secreto de', 'un aviso a otro sistema'],
}

/** The act before what it was done to, which may have a name of its own. */
export function actWords({ operation, outcome }: AgentActRow): { readonly verb: string; readonly what: string } {
  const [did, to, what] = ACT_WORDS[operation] ?? FORMER_ACT_WORDS[operation] ?? ['Hizo', 'hacer', operation]
  return { verb: outcome === 'done' ? did : `Quiso ${to}`, what }
}
