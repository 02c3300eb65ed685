import type { ApprovalAct, StepKey } from './lanes.ts'

/** What a person reads of a step, wherever it stands. */
interface StepText {
  readonly label: string
  readonly help: string
}

/** What a person is asked to do. */
export interface ActionText {
  readonly title: string
  readonly what: string
  readonly where: string
  readonly instructions: readonly string[]
  readonly bring: readonly string[]
  readonly how_we_know: string
}

export const STEP_COPY: Readonly<Record<StepKey, StepText>> = {
  mandato: {
    label: 'Firma del mandato',
    help: 'El representante legal nos autoriza a actuar ante el SII por la empresa. Se lee y se firma en unos cinco minutos, y se puede revocar cuando quiera.',
  },
  certificate: {
    label: 'Certificado digital',
    help: 'Con el certificado digital de una persona de la empresa firmamos los documentos. Lo guardamos cifrado y solo se usa para la empresa.',
  },
  sii_postulacion: {
    label: 'Postulación en el SII',
    help: 'Inscribimos a la empresa en el SII para que se certifique con nuestro sistema. Antes, el representante legal la autoriza.',
  },
  set_de_pruebas: {
    label: 'Set de pruebas',
    help: 'El SII entrega casos de prueba y nosotros emitimos un documento por cada uno, más los libros. El SII los revisa en minutos o en algunos días.',
  },
  simulacion: {
    label: 'Simulación',
    help: 'Enviamos al SII documentos parecidos a los que la empresa emitirá de verdad. No tienen efecto tributario.',
  },
  intercambio: {
    label: 'Intercambio de información',
    help: 'Respondemos al SII un envío de prueba, tal como la empresa responderá a sus proveedores.',
  },
  muestras_impresas: {
    label: 'Muestras impresas',
    help: 'Preparamos los PDF de los documentos de prueba. El titular de la cuenta los revisa y, si está de acuerdo, los enviamos al SII.',
  },
  cumplimiento: {
    label: 'Declaración de cumplimiento',
    help: 'El representante legal autoriza la declaración de que la empresa cumple los requisitos, y nosotros la presentamos. No se puede deshacer.',
  },
  resolucion: {
    label: 'Autorización del SII',
    help: 'El SII publica la resolución que autoriza a la empresa. No hay nada que hacer: la consultamos por nuestra cuenta.',
  },
  habilitacion: {
    label: 'Habilitación de boletas',
    help: 'El SII habilita a la empresa para emitir boletas electrónicas. El representante legal autoriza la declaración y nosotros hacemos el resto.',
  },
  folios: {
    label: 'Primeros folios',
    help: 'Pedimos al SII los primeros folios de cada tipo de documento. Normalmente toma unos minutos.',
  },
  credential: {
    label: 'Clave del certificado centralizado',
    help: 'Con la clave del certificado que está guardado en el SII firmamos en el sistema gratuito. La guardamos cifrada y nadie puede leerla.',
  },
  clave_centralizado: {
    label: 'Certificado centralizado en el SII',
    help: 'La persona que firma guarda su certificado en el SII (certificado centralizado). Se hace una sola vez, en línea.',
  },
  usuario_autorizado: {
    label: 'Usuario autorizado',
    help: 'Un administrador de la empresa agrega en el SII a la persona que firma como usuario autorizado del sistema gratuito.',
  },
  emisor_verificado: {
    label: 'Verificación del emisor',
    help: 'Comprobamos en el SII que la empresa está autorizada para emitir documentos electrónicos.',
  },
  puesta_en_vivo: {
    label: 'Puesta en marcha',
    help: 'Una persona de nuestro equipo deja lista la emisión por el sistema gratuito. No necesitas hacer nada.',
  },
  emitting: {
    label: 'Empezar a emitir',
    help: 'Cuando el titular de la cuenta lo aprueba, la empresa empieza a emitir documentos con efecto tributario.',
  },
}

const OUR_PAGE = 'En una página de Timbre que se abre con un enlace personal; sirve el teléfono o el computador.'

/** Acts of a person that belong to a step by itself. */
export const ACTIONS: Readonly<Partial<Record<StepKey, ActionText>>> = {
  mandato: {
    title: 'Firmar el mandato',
    what: 'El representante legal lee y firma el mandato que nos permite actuar ante el SII por la empresa.',
    where: OUR_PAGE,
    instructions: [
      'Abre el enlace y lee el texto completo.',
      'Escribe el nombre y el RUT de quien firma y confirma que es representante legal.',
      'Presiona «Firmar el mandato».',
    ],
    bring: ['Nombre completo y RUT del representante legal'],
    how_we_know: 'Lo sabemos apenas se firma en la página.',
  },
  certificate: {
    title: 'Subir el certificado digital',
    what: 'Sube el archivo .pfx (o .p12) del certificado digital de la persona que firmará los documentos, y su clave.',
    where: OUR_PAGE,
    instructions: [
      'Pide el archivo a quien vendió el certificado, o expórtalo desde el navegador con su clave privada.',
      'Abre el enlace, elige el archivo y escribe la clave.',
      'Presiona «Guardar el certificado»: lo revisamos en el momento.',
    ],
    bring: [
      'Archivo .pfx o .p12 vigente',
      'La clave del archivo',
      'La persona debe poder actuar por la empresa en el SII',
    ],
    how_we_know: 'Abrimos el archivo en el momento y decimos si sirve.',
  },
  sii_postulacion: {
    title: 'Corregir la resolución declarada',
    what: 'El SII no dio folios con la resolución que se declaró. Busca el número y la fecha correctos: quien administra la cuenta los corrige.',
    where: 'sii.cl › Servicios online › Factura electrónica › Consulta de contribuyentes autorizados.',
    instructions: [
      'Busca el RUT de la empresa en la consulta del SII.',
      'Compara el número y la fecha de la resolución con los que se declararon.',
      'Si son otros, que quien administra la cuenta los corrija en los datos de la empresa.',
      'Si la empresa no aparece, todavía no está autorizada: que quien administra la cuenta nos escriba para certificarla.',
    ],
    bring: ['RUT de la empresa', 'Número y fecha de la resolución'],
    how_we_know: 'Cuando declaras la resolución de nuevo, una persona de nuestro equipo la verifica con el SII.',
  },
  credential: {
    title: 'Guardar la clave del certificado centralizado',
    what: 'Escribe la clave del certificado centralizado: la que tiene el que está guardado en el SII o, si todavía no lo guardas ahí, la que le vas a poner en el paso siguiente. Hace falta además el certificado digital, con que se abre la sesión.',
    where: OUR_PAGE,
    instructions: [
      'Abre el enlace.',
      'Escribe el RUT de la persona que firma y la clave del certificado centralizado.',
      'Presiona «Guardar la clave».',
    ],
    bring: ['RUT de la persona que firma', 'Clave del certificado centralizado (no es la Clave Tributaria)'],
    how_we_know: 'La guardamos en el momento; el SII la confirma con el primer documento.',
  },
  clave_centralizado: {
    title: 'Guardar el certificado en el SII',
    what: 'La persona que firma sube su certificado digital al SII y le pone una clave.',
    where:
      'sii.cl › Servicios online › Factura electrónica › Sistema de facturación gratuito › Administración › Certificado centralizado.',
    instructions: [
      'Entra a sii.cl con el certificado digital instalado en el computador.',
      'Abre «Certificado centralizado» y elige «Centralizar certificado».',
      'Ponle la misma clave que guardaste en Timbre. Si le pones otra, pide un enlace para guardarla de nuevo.',
    ],
    bring: ['Un computador con el certificado digital instalado', 'Unos diez minutos'],
    how_we_know: 'El SII no permite consultarlo: avísanos cuando esté hecho.',
  },
  usuario_autorizado: {
    title: 'Autorizar al usuario en el SII',
    what: 'El administrador de la empresa agrega a la persona que firma como usuario autorizado del sistema gratuito.',
    where:
      'sii.cl › Servicios online › Factura electrónica › Sistema de facturación gratuito › Administración › Mantención de usuarios.',
    instructions: [
      'Entra a sii.cl como administrador de la empresa.',
      'Abre «Mantención de usuarios autorizados».',
      'Agrega el RUT de la persona que firma y marca firmar y enviar documentos.',
    ],
    bring: ['Clave Tributaria o certificado del administrador', 'RUT de la persona que firma'],
    how_we_know: 'Consultamos en el SII las empresas por las que esa persona puede actuar.',
  },
}

/** Decisions that a step of ours waits for. */
export const APPROVALS: Readonly<Record<ApprovalAct, ActionText>> = {
  postulacion: {
    title: 'Autorizar la postulación',
    what: 'El representante legal autoriza que inscribamos a la empresa en el SII para certificarse.',
    where: OUR_PAGE,
    instructions: ['Abre el enlace y revisa los tipos de documento.', 'Presiona «Autorizar» o «No autorizar».'],
    bring: ['Si hoy usas el sistema gratuito del SII: al certificarse, la empresa deja de emitir facturas en él'],
    how_we_know: 'Lo sabemos apenas se decide en la página; después la hacemos nosotros.',
  },
  muestras_revision: {
    title: 'Revisar las muestras impresas',
    what: 'El titular de la cuenta revisa los PDF de muestra. Si no los aprueba, no enviamos nada al SII.',
    where: OUR_PAGE,
    instructions: [
      'Abre el enlace y mira cada muestra: logo, dirección, giro y timbre legible.',
      'Presiona «Aprobar» o «No aprobar» y cuéntanos qué hay que cambiar.',
    ],
    bring: ['Unos diez minutos', 'Los datos de la empresa como deben salir impresos'],
    how_we_know: 'Lo sabemos apenas se decide en la página.',
  },
  cumplimiento: {
    title: 'Autorizar la declaración de cumplimiento',
    what: 'El representante legal autoriza que declaremos ante el SII que la empresa cumple los requisitos para emitir. La declaración no se puede deshacer.',
    where: OUR_PAGE,
    instructions: ['Abre el enlace y lee lo que se declara.', 'Presiona «Autorizar» o «No autorizar».'],
    bring: ['Unos cinco minutos'],
    how_we_know: 'Lo sabemos apenas se decide en la página; después la presentamos nosotros.',
  },
  habilitacion: {
    title: 'Autorizar la habilitación de boletas',
    what: 'El representante legal autoriza que declaremos ante el SII que la empresa puede emitir boletas electrónicas con nuestro sistema.',
    where: OUR_PAGE,
    instructions: ['Abre el enlace y lee lo que se declara.', 'Presiona «Autorizar» o «No autorizar».'],
    bring: ['Conviene emitir boletas con un solo sistema: si usas otro, avísanos antes'],
    how_we_know: 'Lo sabemos apenas se decide en la página.',
  },
  go_live: {
    title: 'Aprobar el inicio de la emisión',
    what: 'Todo está listo. El titular de la cuenta aprueba que la empresa empiece a emitir documentos con efecto tributario.',
    where: OUR_PAGE,
    instructions: ['Abre el enlace y revisa los datos de la empresa.', 'Presiona «Empezar a emitir».'],
    bring: ['La suscripción de la empresa al día'],
    how_we_know: 'Lo sabemos apenas se decide en la página.',
  },
}

/** Where at the SII a person does what only they can do there. */
export const SII_PAGES: Readonly<Partial<Record<StepKey, string>>> = {
  clave_centralizado: 'https://www1.sii.cl/factura_sii/factura_sii.htm',
  usuario_autorizado: 'https://www1.sii.cl/factura_sii/factura_sii.htm',
}

interface BlockText {
  readonly message: string
  readonly hint: string | null
}

/** Why a step does not move. The words of the SII, where there are any, come beside these. */
export const BLOCKS = {
  sii_unreachable: {
    message: 'El SII no está respondiendo.',
    hint: 'No tienes que hacer nada: seguimos intentando por nuestra cuenta.',
  },
  sii_propagation: {
    message: 'El SII todavía no publica el cambio.',
    hint: 'Suele tardar entre unos minutos y algunos días. Volvemos a mirar por nuestra cuenta.',
  },
  user_not_authorised: {
    message: 'La persona del certificado aún no aparece como usuario autorizado de la empresa en el SII.',
    hint: 'Pide al administrador que la agregue. Después de hacerlo, el SII puede tardar unos minutos.',
  },
  certificate_missing: {
    message: 'Falta el certificado digital con que se abre la sesión en el SII.',
    hint: 'Sube el certificado de la persona que firma.',
  },
  emitter_not_authorised: {
    message: 'La empresa no aparece en el SII como autorizada para emitir documentos electrónicos.',
    hint: 'Inscríbela en el sistema de facturación gratuito del SII y avísanos.',
  },
  tipos_not_authorised: {
    message: 'El SII todavía no autoriza todos los tipos de documento de la empresa.',
    hint: 'No tienes que hacer nada: consultamos por nuestra cuenta hasta que aparezcan.',
  },
  resolucion_claim: {
    message: 'El SII no dio folios con la resolución declarada.',
    hint: 'Corrige el número y la fecha de la resolución en los datos de la empresa.',
  },
  approval_declined: {
    message: 'La autorización fue rechazada, y por eso no hicimos nada.',
    hint: 'Cuando estén de acuerdo, se puede autorizar con un enlace nuevo.',
  },
  operator_refused: {
    message: 'Nuestro equipo no pudo completar este paso.',
    hint: 'Revisa lo que te contamos y pide que lo intentemos otra vez.',
  },
  operator_restarted: {
    message: 'Nuestro equipo empieza este paso de nuevo.',
    hint: null,
  },
  folios_refused: {
    message: 'El SII no entregó los primeros folios.',
    hint: 'Lee lo que respondió el SII. Cuando esté resuelto, pide que los solicitemos de nuevo.',
  },
  sii_reviewing: {
    message: 'El SII está revisando lo que enviamos.',
    hint: 'Tarda entre unos minutos y algunos días. No tienes que hacer nada: volvemos a mirar por nuestra cuenta.',
  },
  sii_refused: {
    message: 'El SII no aceptó lo que enviamos.',
    hint: 'Lee lo que respondió. Cuando esté resuelto, pide que lo intentemos otra vez: lo hacemos todo de nuevo.',
  },
  preflight_failed: {
    message: 'Lo que pide el SII no se puede enviar todavía: encontramos algo que rechazaría.',
    hint: 'No se envió nada. Revisa lo que encontramos, corrige los datos y pide que lo intentemos otra vez.',
  },
  inputs_missing: {
    message: 'Para seguir necesitamos un dato que solo la empresa conoce.',
    hint: 'Quien administra la cuenta lo entrega en la certificación de la empresa.',
  },
  emisor_incomplete: {
    message: 'A los datos de la empresa les falta algo que llevan todos los documentos.',
    hint: 'Completa el giro, la actividad económica y la dirección en los datos de la empresa.',
  },
  folios_pending: {
    message: 'El SII todavía no entrega los primeros folios.',
    hint: 'Los pedimos por nuestra cuenta. Si el SII los niega, te contamos por qué.',
  },
} as const satisfies Record<string, BlockText>
export type BlockName = keyof typeof BLOCKS

export const RECHECKS = {
  looking: 'Estamos mirando en el SII; en unos minutos sabrás si quedó listo.',
  looked: 'Ya estamos mirando. No hace falta avisar de nuevo.',
  looked_already: (next: string) => `Acabamos de mirar y todavía no aparece. Volvemos a mirar el ${next}.`,
  again: 'Lo intentamos de nuevo. Te avisaremos apenas sepamos más.',
  nothing_to_look_at:
    'Este paso no se consulta en el SII: se completa cuando la persona termina en nuestra página o cuando nos dicen que está hecho.',
} as const
