/** The public face of the engine. What is not listed here is private to the package. */

// From a draft to a document
export { buildDocumento, type Stamp } from './build.ts'
// Folios, stamp and signature
export { type Caf, type CafRule, type CafUse, type CafUseRule, checkCafUse, readCaf } from './caf.ts'
export { type CafOrder, issueCaf } from './caf-issue.ts'
export { SII_KEYS, type SiiKeys } from './caf-keys.ts'
export { type CertificateRule, type OpenedCertificate, openCertificate } from './certificate.ts'
export { type CertificateOrder, issueCertificate } from './certificate-issue.ts'
// Envelopes, answers and books
export { type Cesion, type CesionRule, cedeAgain, cedeDte, type FirstCesion, type Party } from './cesion.ts'
export { type CededDte, type ReadAec, readAec, readCededDte } from './cesion-read.ts'
export { checkDraft, checkDte } from './check.ts'
export { buildConsumoFolios, type ConsumoFolios, type FolioSummary } from './consumo-folios.ts'
// Values
export { addMonths, isCivilDate, isDocumentDate, santiagoDate, santiagoTimestamp } from './dates.ts'
export type * from './document.ts'
export { documentId, naturalKey } from './document.ts'
export { type Emission, type EmittedDte, emitDte, emitDteSync } from './emit.ts'
// What the SII answered, in words
export {
  type BoletaFinding,
  type Explanation,
  explain,
  explainBoletaFinding,
  explainText,
  type SiiAnswer,
  type SiiSource,
} from './explain.ts'
export type { SiiOutcome } from './explain-codes.ts'
export { type ExplanationCode, MEANINGS, type Meaning } from './explain-copy.ts'
export {
  type AnsweredDte,
  buildRecepcionEnvio,
  buildResultadoDte,
  type Contact,
  ENVELOPE_STATES,
  RECEPTION_STATES,
  RESULT_STATES,
  type ReceivedEnvelope,
  type Respuesta,
  type Resultado,
} from './intercambio.ts'
export { buildLibroGuia, type GuiaEntry, type LibroGuia } from './libro-guia.ts'
export { buildLibroCompraVenta, type LibroCompraVenta, type LibroEntry } from './libros.ts'
export { decimalsOf, ivaOn, MAX_PESOS } from './money.ts'
// The printed page
export { type Logo, LogoError, readLogo } from './pdf/logo.ts'
export { isLawfulFormat, PDF_FORMATS, type PdfFormat, type PdfOptions } from './pdf/options.ts'
export { renderPdf } from './pdf/render.ts'
// From a received file to a value
export { type ReadDocument, type ReadRule, readDte } from './read.ts'
export { type Caratula, type ReadEnvelope, readEnvelope } from './read-envelope.ts'
export { buildEnvioRecibos, type EnvioRecibos, RECIBO_DECLARATION, type Recibo } from './recibos.ts'
export type { Outcome, Refusal } from './refusal.ts'
export type { Circumstances } from './rules/rule.ts'
export { canonicalRut, checkDigit, formatRut, isRut, parseRut, printedRut, type Rut } from './rut.ts'
export { createSigner, type Signer } from './sign.ts'
export { buildSobre, type EnclosedDte, type Resolucion, type Sobre, type SobreRule } from './sobre.ts'
// Tables
export { ACTECOS, isActeco } from './tables/actecos.ts'
export { ADDITIONAL_TAXES, type AdditionalTax, additionalTax, tiposOfTax } from './tables/additional-taxes.ts'
export {
  DISPATCH_TYPE_NAMES,
  PAYMENT_FORM_NAMES,
  PAYMENT_METHOD_NAMES,
  REFERENCE_CODE_NAMES,
  TRANSFER_TYPE_NAMES,
} from './tables/codes.ts'
export { COMUNAS, siiOffice } from './tables/comunas.ts'
export { DOCUMENT_TYPES, ELECTRONIC_TIPOS, isReferenceType } from './tables/document-types.ts'
export { checkText, type TextFault } from './text.ts'
export { stamp, stampSync, type Timbre, timbreOf } from './timbre.ts'
export { checkTimbre, type TimbreRule } from './timbre-check.ts'
export { ANONYMOUS_RUT, isTipoDte, SII_RUT, TIPO_NUMBERS, TIPOS, type Tipo, type TipoDte, tipo } from './tipos.ts'
export { buildGetToken } from './token.ts'
export { completeDraft, computeTotals, hasGrossPrices, type Priced, priceDraft } from './totals.ts'
export { type CheckedSignature, firstRefusal, type VerifyRule, verifySignatures } from './verify.ts'
export { type CertificateFacts, type ReadCertificate, readCertificate } from './x509.ts'
export type { Encoding } from './xml/decode.ts'
export type { FormRule } from './xml/form.ts'
export { type ParseLimits, type ParseRule, parseXml, parseXmlText, type XmlDocument } from './xml/parse.ts'
export { rawElements } from './xml/raw.ts'
export type { XmlElement } from './xml/tree.ts'
export { childOf, childrenOf, textAt } from './xml/tree.ts'
export { latin1Bytes, XML_DECLARATION } from './xml/write.ts'
