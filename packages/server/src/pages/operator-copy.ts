import type { PersonRole } from '../catalog/roles.ts'
import type { CertificationUnderWay } from '../domain/issuing/certification/operator/schema.ts'
import type { OperatorAct } from '../domain/platform/onboarding/operator/under-way.ts'
import type { WaitsFor } from '../domain/platform/onboarding/operator/waits-for.ts'

// Read by people of the operator, in Chile.

export const SIGN_IN_PROBLEMS = {
  wrong: 'El secreto no es ese. Revisa que lo copiaste entero.',
  name: 'Escribe tu nombre y tu apellido: queda en el registro de lo que hagas.',
  ended: 'Tu sesión terminó. Entra otra vez para seguir.',
  often: 'Se intentó demasiadas veces desde tu red. Espera unos minutos y vuelve a intentarlo.',
} as const
export type SignInProblem = keyof typeof SIGN_IN_PROBLEMS

/** Whom a certification waits for, in the words of a filter. */
export const WAITS: Readonly<Record<WaitsFor, string>> = {
  operator: 'Una persona nuestra',
  input: 'Un dato del contribuyente',
  customer: 'Una persona del contribuyente',
  service: 'El sistema',
  sii: 'El SII',
}

export const ROLES: Readonly<Record<PersonRole, string>> = {
  representante_legal: 'representante legal',
  usuario_administrador: 'usuario administrador en el SII',
  titular_certificado: 'titular del certificado',
  titular_cuenta: 'titular de la cuenta',
}

type File = CertificationUnderWay['files'][number]

export const FILES: Readonly<Record<File['kind'], string>> = {
  basico: 'Set básico',
  guias: 'Set de guías',
  exenta: 'Set de facturas exentas',
  compra: 'Set de facturas de compra',
  libro_ventas: 'Libro de ventas',
  libro_compras: 'Libro de compras',
  libro_guias: 'Libro de guías',
  boletas: 'Set de boletas',
  boletas_exentas: 'Set de boletas exentas',
  simulacion: 'Simulación',
  exchange_received: 'Envío del SII',
  exchange_reception: 'Respuesta de recepción',
  exchange_receipts: 'Recibos de mercaderías',
  exchange_results: 'Resultado comercial',
  sample: 'Muestra impresa',
}

export const FILE_STATES: Readonly<Record<File['state'], string>> = {
  planned: 'por firmar',
  signed: 'listo para enviar',
  printed: 'impresa',
  sent: 'enviado',
  taken: 'recibido por el SII',
  in_review: 'en revisión en el SII',
  approved: 'aprobado',
  refused: 'rechazado por el SII',
  received: 'recibido del SII',
}

export const BUTTONS: Readonly<Record<OperatorAct, string>> = {
  look: 'Mirar ahora',
  take: 'Tomarlo yo',
  done: 'Dar por hecho',
  refuse: 'Rechazar y avisar',
  automatic: 'Devolver al sistema',
  restart: 'Empezar de nuevo',
}

/** What is said once it was done. */
export const DONE: Readonly<Record<OperatorAct, string>> = {
  look: 'Listo: el sistema mira ahora. Recarga la página en un momento.',
  take: 'Listo: el paso está a tu nombre y el sistema no lo toca.',
  done: 'Listo: el paso quedó hecho y sigue el próximo.',
  refuse: 'Listo: el contribuyente lee el motivo y pedirá otro intento.',
  automatic: 'Listo: el sistema sigue desde donde está el paso.',
  restart: 'Listo: el paso empieza de nuevo, con folios nuevos y sin nada de lo anterior.',
}

const MOVED = 'El paso cambió mientras mirabas la página, y por eso no hicimos nada. Abajo está como quedó.'

/** Why nothing was done, by the code of the refusal. */
export const REFUSALS: Readonly<Record<string, string>> = {
  step_changed: MOVED,
  step_not_open: MOVED,
  step_not_operators: MOVED,
  onboarding_step_not_found: MOVED,
  empresa_not_found: 'La empresa ya no existe.',
  empresa_inactive: 'La empresa no está activa: mientras el mandato esté revocado no se hace nada por ella.',
  step_taken: 'Otra persona tiene este paso. Si sigues tú en su lugar, tómalo primero.',
  step_not_automatic: 'Este paso lo hacen personas en todas las empresas: no hay a quién devolverlo.',
  muestras_approval_required: 'El titular de la cuenta todavía no aprueba las muestras.',
  requirement_unmet: 'Todavía no está lo que muestra que el paso se hizo, así que no se puede dar por hecho.',
  invalid_field: 'Falta el motivo, o lo que escribiste es demasiado largo. No hicimos nada.',
}
export const UNKNOWN_REFUSAL = 'No se pudo hacer. Vuelve a intentarlo en un momento.'
