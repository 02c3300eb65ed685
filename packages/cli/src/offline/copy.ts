import type { CafRule, CertificateRule, FitnessRule, ParseRule, ReadRule, TimbreRule, VerifyRule } from '@timbre/dte'

/** Lo que significa cada hallazgo del motor, para quien lleva la contabilidad. */

const FORM: Readonly<Record<ParseRule | ReadRule, string>> = {
  too_large: 'El archivo es más grande que cualquiera que reciba el SII.',
  too_many_nodes: 'El archivo tiene más elementos que cualquiera que reciba el SII.',
  dtd: 'El archivo trae una definición DTD, que un DTE nunca lleva: no lo abras con otros programas.',
  truncated: 'El archivo está cortado: falta el final. Vuelve a descargarlo o pídelo de nuevo.',
  not_well_formed: 'El XML está mal formado: alguien lo modificó o se dañó en el camino.',
  unsupported_namespace: 'El XML usa espacios de nombres que el SII no reconoce.',
  unsupported_encoding: 'La codificación del archivo no es ISO-8859-1 ni UTF-8.',
  empty: 'El archivo está vacío.',
  wrong_encoding: 'Hay caracteres que no corresponden a la codificación que el archivo declara.',
  not_a_dte: 'El archivo no es un DTE ni un sobre de DTE.',
  unsupported_tipo: 'El tipo de documento no es uno que sepamos leer.',
  unreadable: 'Al documento le falta su identificación, su fecha o su total.',
}

const SIGNATURE: Readonly<Record<VerifyRule, string>> = {
  not_a_signature: 'Donde debería estar la firma hay otra cosa.',
  unexpected_content: 'La firma trae elementos que una firma del SII no lleva.',
  unsupported_algorithm: 'La firma usa un algoritmo que el SII no acepta.',
  unsupported_transform: 'La firma usa una transformación que el SII no acepta.',
  unsupported_reference: 'La firma apunta a algo que el SII no acepta.',
  missing_certificate: 'La firma no trae el certificado de quien firmó.',
  missing_signature: 'Falta la firma.',
  misplaced_signature: 'Hay una firma donde no corresponde.',
  duplicate_id: 'Dos partes del archivo tienen la misma identificación: no se puede saber cuál se firmó.',
  too_many_signatures: 'El archivo tiene más firmas que cualquiera que reciba el SII.',
  wrapped_content: 'Lo firmado no está donde debe: alguien movió el contenido.',
  wrong_reference: 'La firma es de otra parte del archivo, no de la que acompaña.',
  bad_certificate: 'El certificado de la firma no se puede leer.',
  weak_key: 'La llave del certificado es demasiado corta, o demasiado larga, para confiar en ella.',
  key_mismatch: 'La llave que declara la firma no es la del certificado.',
  digest_mismatch: 'El contenido cambió después de firmarse.',
  bad_signature: 'La firma no se hizo con la llave del certificado: es falsa o se dañó.',
}

const TIMBRE: Readonly<Record<TimbreRule, string>> = {
  missing_timbre: 'El documento no trae timbre (TED).',
  unknown_sii_key: 'El CAF del timbre no es del SII: es un documento de prueba o uno inventado.',
  bad_sii_signature: 'El SII no firmó el CAF del timbre: los folios son falsos.',
  bad_stamp: 'El timbre no se hizo con la llave de su CAF: es falso o se dañó.',
  stamp_mismatch: 'El timbre habla de otro documento: no coincide con este.',
  folio_out_of_range: 'El folio no está en el rango que autorizó el SII.',
}

const CAF: Readonly<Record<Exclude<CafRule, ParseRule>, string>> = {
  not_a_caf: 'El archivo no es un CAF: debe ser el XML «AUTORIZACION» que entrega el SII.',
  missing_field: 'Al CAF le falta un dato.',
  bad_field: 'Un dato del CAF no se puede leer.',
  unknown_tipo: 'El CAF es de un tipo de documento que no conocemos.',
  bad_range: 'El rango de folios está al revés o es demasiado grande.',
  bad_private_key: 'La llave privada del CAF no se puede leer.',
  key_mismatch: 'La llave privada no es la que el CAF autoriza: alguien mezcló dos archivos.',
  unknown_sii_key: 'El CAF no es del SII: es de un ambiente de prueba o es inventado.',
  bad_sii_signature: 'El SII no firmó este CAF, o el archivo se modificó. Descárgalo de nuevo.',
}

const CERTIFICATE: Readonly<Record<CertificateRule | FitnessRule, string>> = {
  too_large: 'El archivo es demasiado grande para ser un certificado.',
  not_a_pfx: 'El archivo no es un certificado .pfx o .p12.',
  unsupported_pfx: 'El archivo está protegido de una forma que no sabemos abrir. Expórtalo de nuevo.',
  too_many_iterations: 'El archivo tarda demasiado en abrirse. Expórtalo de nuevo.',
  wrong_password: 'La clave no abre el certificado.',
  no_private_key: 'El archivo no trae la llave privada: expórtalo con ella.',
  several_keys: 'El archivo trae más de una llave: exporta una sola.',
  no_certificate: 'El archivo no trae un certificado para su llave.',
  certificate_too_large: 'El certificado es demasiado grande.',
  not_rsa: 'El SII solo acepta certificados RSA.',
  no_rut: 'El certificado no dice el RUT de su titular: no sirve para el SII.',
  expired: 'El certificado está vencido.',
  not_yet_valid: 'El certificado todavía no entra en vigencia.',
  weak_key: 'La llave es demasiado corta: pide un certificado de 2.048 bits.',
  key_too_large: 'La llave es demasiado larga: pide un certificado de hasta 4.096 bits.',
  not_for_signing: 'El certificado no se emitió para firmar documentos.',
}

export const AMOUNT_NAMES = {
  net: 'el neto',
  exempt: 'el exento',
  iva: 'el IVA',
  taxes: 'los impuestos adicionales',
  deposit: 'los depósitos por envases',
  construction_credit: 'el crédito de constructoras',
  iva_not_withheld: 'el IVA no retenido',
  total: 'el total',
} as const

export const saidOfForm = (rule: ParseRule | ReadRule): string => FORM[rule]
export const saidOfSignature = (rule: VerifyRule): string => SIGNATURE[rule]
export const saidOfTimbre = (rule: TimbreRule): string => TIMBRE[rule]
export const saidOfCertificate = (rule: CertificateRule | FitnessRule): string => CERTIFICATE[rule]
export const saidOfCaf = (rule: CafRule): string =>
  Object.hasOwn(CAF, rule) ? CAF[rule as keyof typeof CAF] : FORM[rule as ParseRule]
