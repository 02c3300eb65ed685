import type { Draft } from '../mail/compose.ts'
import type { ChangedCount, RecoveredItem, Recovery } from './schema.ts'

// The letters about an account, in Chilean Spanish. They carry nothing that the person who opened the account typed, but
// for addresses: until a letter is answered its reader may be someone else, and a name can carry an advertisement.

const NOT_YOU = 'Si no fuiste tú, no tienes que hacer nada: sin este enlace nadie puede avanzar.'

interface To {
  readonly email: string
}

export function verifyEmailLetter({ email }: To, url: string): Draft {
  return {
    to: email,
    subject: 'Confirma tu correo en Timbre',
    greeting: '¡Hola!',
    paragraphs: [
      'Qué bueno tenerte en Timbre. Tu cuenta ya funciona en modo de prueba: puedes empezar a integrar ahora mismo.',
      'Cuando quieras pasar a producción vas a necesitar tu correo confirmado. Puedes hacerlo aquí; después entra otra vez ' +
        'con tu contraseña:',
    ],
    button: { label: 'Confirmar mi correo', url },
    notes: [
      'El enlace funciona por 48 horas y una sola vez.',
      'Si no creaste esta cuenta, no la confirmes: alguien usó tu correo. En la misma página puedes decirnos que no fuiste ' +
        'tú, y cerramos todo lo que se abrió con él.',
    ],
  }
}

export function changeEmailLetter({ email }: To, url: string): Draft {
  return {
    to: email,
    subject: 'Confirma tu nuevo correo en Timbre',
    greeting: 'Hola:',
    paragraphs: [
      'Pediste usar este correo en tu cuenta de Timbre.',
      'El cambio queda hecho cuando lo confirmes; hasta entonces sigues entrando con el correo anterior.',
    ],
    button: { label: 'Usar este correo', url },
    notes: ['El enlace funciona por 48 horas y una sola vez.', NOT_YOU],
  }
}

/** `url` leads back to the old address; none for one that nobody ever confirmed. */
export function emailChangedLetter({ email }: To, new_email: string, url: string | null): Draft {
  const told = `Desde ahora tu cuenta de Timbre usa el correo ${new_email}. A esta dirección ya no te escribiremos.`
  const base = { to: email, subject: 'Cambió el correo de tu cuenta de Timbre', greeting: 'Hola:' }
  if (url === null) {
    const note = 'Si no hiciste este cambio, escríbenos cuanto antes: alguien entró a tu cuenta.'
    return { ...base, paragraphs: [told], notes: [note] }
  }
  return {
    ...base,
    paragraphs: [
      told,
      'Si fuiste tú, no tienes que hacer nada. Si no fuiste tú, alguien entró a tu cuenta: con este botón la traes de ' +
        'vuelta a este correo, cerramos todas las sesiones y te enviamos un enlace para crear una contraseña nueva.',
    ],
    button: { label: 'No fui yo: volver a este correo', url },
    notes: ['El enlace funciona por 72 horas y una sola vez.'],
  }
}

export function emailRestoredLetter({ email }: To, url: string, recovery: Recovery): Draft {
  return {
    to: email,
    subject: 'Tu cuenta de Timbre volvió a este correo',
    greeting: 'Hola:',
    paragraphs: [
      'Tu cuenta vuelve a usar este correo. Cerramos todas sus sesiones, anulamos los enlaces pendientes y la contraseña ' +
        'que tenía dejó de servir.',
      `${WHAT_ENDED_SINCE} Crea una contraseña nueva aquí:`,
    ],
    facts: [
      ...endedFacts(recovery),
      ...namedFacts(recovery.ended),
      ...keptFacts(recovery),
      ...namedFacts(recovery.kept),
    ],
    button: { label: 'Crear contraseña nueva', url },
    notes: [
      'El enlace funciona por una hora y una sola vez. Si vence, pide otro en la página para recuperar tu cuenta.',
      'Las claves terminadas no vuelven: crea otras y cámbialas en tus sistemas. A los avisos desactivados revísales la ' +
        'dirección, dales un secreto nuevo y actívalos.',
      'Lo demás que sigue es anterior. Cuando entres, revísalo igual y borra lo que no reconozcas.',
    ],
  }
}

/** To the address that a restored account leaves: its reader may be the intruder, and learns nothing new here. */
export function emailTakenBackLetter({ email }: To): Draft {
  return {
    to: email,
    subject: 'Tu cuenta de Timbre volvió a su correo anterior',
    greeting: 'Hola:',
    paragraphs: [
      'La cuenta de Timbre que usaba este correo volvió al que tenía antes: quien lo lee nos dijo que no hizo el cambio. ' +
        'Cerramos sus sesiones, y a esta dirección ya no le escribiremos.',
    ],
    notes: ['Si el cambio lo hiciste tú, alguien más lee tu correo anterior: asegúralo y escríbenos cuanto antes.'],
  }
}

/** Names nothing that ended: whoever opened the account typed those names, and its reader never confirmed the address. */
export function accountDisownedLetter({ email }: To, url: string, ended: Recovery['ended']): Draft {
  return {
    to: email,
    subject: 'Cerramos lo que abrieron con tu correo en Timbre',
    greeting: 'Hola:',
    paragraphs: [
      'Nos dijiste que no abriste la cuenta de Timbre que usa este correo. Quien la abrió ya no puede entrar: su ' +
        'contraseña dejó de servir y terminó todo lo que había creado.',
      'No tienes que hacer nada más. Si quieres quedarte con la cuenta, crea una contraseña tuya aquí:',
    ],
    facts: endedFacts({ ended }),
    button: { label: 'Crear contraseña nueva', url },
    notes: [
      'El enlace funciona por una hora y una sola vez. Si vence, pide otro en la página para recuperar tu cuenta.',
    ],
  }
}

export function resetPasswordLetter({ email }: To, url: string): Draft {
  return {
    to: email,
    subject: 'Crea una contraseña nueva en Timbre',
    greeting: 'Hola:',
    paragraphs: ['Nos pediste una contraseña nueva para tu cuenta de Timbre. Puedes crearla aquí:'],
    button: { label: 'Crear contraseña nueva', url },
    notes: ['El enlace funciona por una hora y una sola vez. Si pides otro, vale solo el último.', NOT_YOU],
  }
}

export function passwordChangedLetter({ email }: To): Draft {
  return {
    to: email,
    subject: 'Cambió la contraseña de tu cuenta de Timbre',
    greeting: 'Hola:',
    paragraphs: [
      'La contraseña de tu cuenta acaba de cambiar. Cerramos las demás sesiones y anulamos los enlaces que quedaban ' +
        'pendientes. Tus claves de API siguen igual.',
    ],
    notes: ['Si no fuiste tú, pide una contraseña nueva ahora mismo y revisa tus claves de API.'],
  }
}

type Facts = readonly (readonly [string, string])[]

const suspect = (count: number, look: string) => (count === 0 ? '0' : `${count}: ${look}`)

/** What recovering an account ended, line by line, wherever a person reads of it. */
export function endedFacts({ ended }: Pick<Recovery, 'ended'>): Facts {
  return [
    ['Sesiones cerradas', String(ended.sessions)],
    ['Enlaces pendientes anulados', String(ended.links)],
    ['Claves de API terminadas', String(ended.api_keys)],
    ['Agentes sin acceso', String(ended.agent_grants)],
    ['Destinos de avisos borrados', String(ended.webhook_endpoints)],
    ['Destinos de avisos desactivados', String(ended.webhook_endpoints_disabled)],
    ['Certificados retirados', suspect(ended.certificates, 'sube el tuyo de nuevo')],
    ['Claves del portal gratuito retiradas', suspect(ended.sfg_credentials, 'guarda la tuya de nuevo')],
    ['Conexiones con bancos eliminadas', String(ended.connections)],
    ['Conexiones con bancos detenidas', suspect(ended.connections_disabled, 'conecta el banco de nuevo')],
    ['Enlaces públicos anulados', String(ended.public_links)],
    ['Páginas para conectar un banco cerradas', String(ended.bank_pages)],
    ['Páginas de puesta en marcha cerradas', String(ended.onboarding_pages)],
  ]
}

const ITEM: Readonly<Record<RecoveredItem['object'], string>> = {
  api_key: 'Clave',
  agent_grant: 'Agente',
  webhook_endpoint: 'Aviso a',
  empresa: 'Empresa',
  mandato: 'Mandato de',
  onboarding: 'Puesta en marcha de',
  certificate: 'Certificado de',
  sfg_credential: 'Clave del portal gratuito de',
  caf: 'CAF',
  connection: 'Conexión con un banco',
  counterparty: 'Cliente o proveedor',
  counterparty_contact: 'Contacto',
  branding: 'Logo y texto al pie de',
  automation_settings: 'Automatizaciones de',
}
const FATE: Readonly<Record<RecoveredItem['status'], string>> = {
  ended: 'terminó',
  disabled: 'desactivado',
  kept: 'sigue',
  changed: 'se creó o cambió en ese tiempo',
  deleted: 'se borró o dio de baja en ese tiempo',
}
const MODE: Readonly<Record<RecoveredItem['mode'], string>> = { test: 'prueba', live: 'producción' }

/** One line for each thing, by the name its owner knows it by: what ended, or what goes on. */
export function namedFacts({ items }: { readonly items: readonly RecoveredItem[] }): Facts {
  return items.map(({ object, name, mode, status }) => [`${ITEM[object]} ${name} (${MODE[mode]})`, FATE[status]])
}

const LOOK: Readonly<Record<ChangedCount, readonly [what: string, look: string]>> = {
  contacts_changed: ['Contactos creados o cambiados en ese tiempo', 'revisa quién recibe tus documentos'],
  counterparties_changed: ['Clientes y proveedores cambiados en ese tiempo', 'revisa sus nombres y direcciones'],
  empresas_changed: ['Empresas creadas o cambiadas en ese tiempo', 'revisa sus datos y su correo'],
  onboardings_changed: ['Pasos de la puesta en marcha registrados en ese tiempo', 'revisa quién los aprobó'],
  mandatos_changed: ['Mandatos registrados o revocados en ese tiempo', 'revisa quién los firmó'],
  branding_changed: ['Logos y textos al pie cambiados en ese tiempo', 'revisa qué dicen tus documentos'],
  automation_settings_changed: ['Automatizaciones cambiadas en ese tiempo', 'revisa qué hacemos por ti'],
  certificates_changed: ['Certificados borrados en ese tiempo', 'sube el tuyo de nuevo'],
  sfg_credentials_changed: ['Claves del portal gratuito borradas en ese tiempo', 'guarda la tuya de nuevo'],
  cafs_changed: ['CAF subidos o dados de baja en ese tiempo', 'revisa tus folios'],
  connections_changed: ['Conexiones con bancos borradas en ese tiempo', 'conecta de nuevo las que te falten'],
  webhook_endpoints_changed: [
    'Destinos de avisos cambiados o borrados en ese tiempo',
    'revisa a quién avisamos de qué',
  ],
  api_keys_changed: ['Claves de API revocadas en ese tiempo', 'crea de nuevo las que te falten'],
  agent_grants_changed: ['Agentes a los que se quitó el acceso en ese tiempo', 'invita de nuevo a los tuyos'],
}

export function keptFacts({ kept }: Pick<Recovery, 'kept'>): Facts {
  return [
    ['Claves de API que siguen', String(kept.api_keys)],
    ['Agentes que siguen', String(kept.agent_grants)],
    ['Destinos de avisos que siguen', String(kept.webhook_endpoints)],
    ...Object.entries(LOOK).map(([name, [what, look]]) => [what, suspect(kept[name as ChangedCount], look)] as const),
  ]
}

export const WHAT_ENDED =
  'Cerramos todas las sesiones y anulamos los enlaces que quedaban pendientes. También terminó lo que se creó o cambió ' +
  'antes de que confirmaras tu correo por primera vez, o con claves y agentes de ese tiempo: alguien pudo haberlo hecho en ' +
  'tu nombre.'
export const WHAT_ENDED_SINCE =
  'También terminaron las claves de API, los agentes, los avisos y los enlaces que se crearon o cambiaron desde que entró ' +
  'quien pidió el cambio de correo, y desactivamos los avisos que mandó a otra dirección o a los que cambió el secreto. Retiramos los certificados y claves ' +
  'que se guardaron desde entonces, y dejamos de leer los bancos que se conectaron.'
export const WHAT_STAYS =
  'Lo demás sigue funcionando, para no cortar tu producción. Revísalo y borra lo que no reconozcas.'

/** `named` only for an address that was confirmed before: until then a stranger typed the names. */
export function accountRecoveredLetter({ email }: To, recovery: Recovery, named: boolean): Draft {
  return {
    to: email,
    subject: 'Cambió la contraseña de tu cuenta de Timbre',
    greeting: 'Hola:',
    paragraphs: ['Creaste una contraseña nueva con el enlace que te enviamos.', WHAT_ENDED, WHAT_STAYS],
    facts: [
      ...endedFacts(recovery),
      ...(named ? namedFacts(recovery.ended) : []),
      ...keptFacts(recovery),
      ...(named ? namedFacts(recovery.kept) : []),
    ],
    notes: ['Si no fuiste tú, alguien lee este correo: asegúralo y después pide una contraseña nueva.'],
  }
}

export function accountClosedLetter({ email }: To): Draft {
  return {
    to: email,
    subject: 'Cerramos tu cuenta de Timbre',
    greeting: 'Hasta pronto',
    paragraphs: [
      'Tu cuenta quedó cerrada, como nos pediste. Sus claves de API y sus sesiones dejaron de funcionar en este momento, ' +
        'y borramos sus empresas de prueba.',
      'Guardamos los documentos tributarios emitidos en producción por el tiempo que exige la ley.',
    ],
    notes: ['Si algún día quieres volver, puedes crear otra cuenta con este mismo correo. Gracias por usar Timbre.'],
  }
}

export const EMPRESA_TAKEN =
  'Ese RUT ya está en uso en otra cuenta de prueba. Tu cuenta y tu clave quedaron creadas: agrega la empresa con otro RUT.'
