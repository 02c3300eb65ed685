import type { LinkEnd } from '../../domain/platform/onboarding-link/open.ts'

// What a shopkeeper reads on the pages of the onboarding beside the text of each step: Chilean Spanish, plain and warm.

export const ENDED: Readonly<Record<LinkEnd | 'moved', { readonly title: string; readonly text: string }>> = {
  used: {
    title: 'Este enlace ya se usó',
    text: 'Lo que había que hacer aquí ya quedó registrado. Si necesitas hacerlo de nuevo, pide un enlace nuevo a quien te lo envió.',
  },
  revoked: {
    title: 'Este enlace ya no funciona',
    text: 'Quien te lo envió lo cerró o te mandó otro más nuevo. Busca el último que recibiste o pide uno nuevo.',
  },
  expired: {
    title: 'Este enlace venció',
    text: 'Los enlaces funcionan por un tiempo corto, para cuidar a la empresa. Pide uno nuevo a quien te lo envió.',
  },
  moved: {
    title: 'Este paso ya no espera nada',
    text: 'Alguien ya lo completó, o la empresa cambió mientras tanto. No tienes que hacer nada más aquí.',
  },
}

/** What is wrong with what was typed. */
export const TROUBLE = {
  name: 'Escribe tu nombre completo.',
  short: 'Ese nombre es muy corto. Escribe nombre y apellido, como en tu cédula.',
  hidden: 'El nombre trae un carácter que no se ve, como pasa a veces al copiar y pegar. Bórralo y escríbelo a mano.',
  rut: 'Revisa el RUT: escríbelo con el dígito verificador, por ejemplo 12.345.678-5.',
  other_person:
    'Este enlace es para otra persona. Si lo recibiste por error, no hagas nada; si te corresponde, pide uno a tu nombre.',
  other_certificate:
    'Este certificado es de otra persona que aquella para quien es el enlace. Elige el suyo, o pide un enlace a nombre de su titular.',
  representante: 'Marca la casilla para confirmar que eres representante legal de la empresa.',
  reviewed: 'Marca la casilla para confirmar que leíste lo que se declara.',
  decision: 'Presiona uno de los dos botones.',
  reason: 'El motivo es demasiado largo: cuéntalo en menos de 500 letras.',
  file: 'Elige el archivo del certificado.',
  password: 'Escribe la clave.',
  changed: 'El texto cambió mientras lo leías, y por eso no registramos nada. Léelo de nuevo, por favor.',
  failed: 'No pudimos guardarlo. Vuelve a intentarlo en un momento.',
} as const
export type Trouble = keyof typeof TROUBLE

/** Why a certificate is not taken, by the reason that the engine gives. */
const CERTIFICATE_TROUBLE: Readonly<Record<string, string>> = {
  too_large: 'El archivo es demasiado grande para ser un certificado. Elige el archivo .pfx o .p12.',
  not_a_pfx: 'Ese archivo no es un certificado .pfx o .p12. Elige el que te entregó quien te lo vendió.',
  unsupported_pfx:
    'No pudimos abrir este tipo de archivo. Expórtalo otra vez desde el navegador, con su clave privada.',
  too_many_iterations: 'No pudimos abrir el archivo. Expórtalo otra vez desde el navegador, con su clave privada.',
  too_costly: 'No pudimos abrir el archivo. Expórtalo otra vez desde el navegador, con su clave privada.',
  wrong_password: 'La clave no abre el archivo. Revisa mayúsculas y minúsculas y escríbela de nuevo.',
  no_private_key: 'Al archivo le falta la clave privada. Expórtalo otra vez marcando «exportar la clave privada».',
  several_keys: 'El archivo trae más de un certificado con su clave. Exporta solo el de la persona que firma.',
  no_certificate: 'El archivo no trae el certificado de la persona. Expórtalo otra vez, completo.',
  certificate_too_large: 'El certificado es más grande de lo que podemos usar. Pide otro a quien te lo vendió.',
  not_rsa: 'El certificado no es del tipo que acepta el SII (RSA). Pide otro a quien te lo vendió.',
  no_rut: 'El certificado no dice el RUT de la persona. Pide uno para firmar documentos tributarios.',
  expired: 'El certificado está vencido. Hay que comprar o renovar uno antes de seguir.',
  not_yet_valid: 'El certificado todavía no está vigente. Vuelve cuando empiece su vigencia.',
  weak_key: 'La clave del certificado es demasiado corta para ser segura. Pide uno nuevo, de 2.048 bits o más.',
  key_too_large: 'La clave del certificado es más larga de lo que acepta el SII. Pide uno de 2.048 o 4.096 bits.',
  not_for_signing: 'El certificado no sirve para firmar. Pide uno de firma electrónica para facturación.',
  self_signed: 'El certificado no lo emitió una empresa acreditada en Chile, y el SII no lo acepta.',
  issuer_unknown:
    'No reconocemos a quien emitió el certificado. Expórtalo otra vez incluyendo los certificados de la cadena.',
}

export function certificateTrouble(reason: unknown): string {
  const known = typeof reason === 'string' ? CERTIFICATE_TROUBLE[reason] : undefined
  return known ?? 'No pudimos usar ese certificado. Elige otro archivo o pide ayuda a quien te lo vendió.'
}

/** What the page says once it is done. */
export const DONE = {
  signed: { title: 'Listo, el mandato quedó firmado', text: 'Guardamos quién firmó, cuándo y qué texto.' },
  revoked: {
    title: 'El mandato quedó revocado',
    text: 'Desde ahora no hacemos nada más por la empresa ante el SII. Lo que ya se emitió sigue siendo válido.',
  },
  certificate: {
    title: 'Listo, el certificado quedó guardado',
    text: 'Lo revisamos y sirve. Está cifrado y solo se usa para firmar por la empresa. No guardamos el archivo ni su clave.',
  },
  credential: {
    title: 'Listo, la clave quedó guardada',
    text: 'Está cifrada y nadie puede leerla. El SII la confirma con el primer documento.',
  },
  approved: { title: 'Listo, quedó autorizado', text: 'Guardamos quién lo autorizó, cuándo y qué se le mostró.' },
  declined: {
    title: 'Registramos que no lo autorizas',
    text: 'No hicimos nada ante el SII. Si cambian de opinión, se puede autorizar con un enlace nuevo.',
  },
  attested: { title: 'Gracias por avisar', text: 'Anotamos que está hecho y quién nos lo dijo.' },
} as const
export type Done = keyof typeof DONE
