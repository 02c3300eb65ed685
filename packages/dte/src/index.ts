/** The public face of the engine. What is not listed here is private to the package. */

// Folios, stamp and signature
export {
  type Caf,
  type CafRule,
  type CafUse,
  type CafUseRule,
  checkCafUse,
  readCaf,
  readUnissuedCaf,
} from './caf/caf.ts'
export { checkTimbre, type TimbreRule } from './caf/check-timbre.ts'
export { type CafOrder, issueCaf } from './caf/issue.ts'
export { SII_KEYS, type SiiKeys } from './caf/sii-keys.ts'
export { stamp, stampSync, type Timbre, timbreOf } from './caf/timbre.ts'
export { type TimbreText, timbreTextsApart } from './caf/timbre-texts.ts'
export { type CertificateRule, type OpenedCertificate, openCertificate } from './certificate/certificate.ts'
export {
  bundleOf,
  type CaBundle,
  type CaBundleRule,
  findIssuer,
  type IssuerFinding,
  NO_AUTHORITIES,
  readCaBundle,
  type Window,
} from './certificate/chain.ts'
export { checkFitness, type FitnessRule } from './certificate/fitness.ts'
export { type CertificateOrder, issueCertificate } from './certificate/issue.ts'
export { type CertificateFacts, type ReadCertificate, readCertificate } from './certificate/x509.ts'
// Envelopes, answers and books
export { type Cesion, type CesionRule, cedeAgain, cedeDte, type FirstCesion, type Party } from './cesion/cesion.ts'
export { type CededDte, type ReadAec, readAec, readCededDte } from './cesion/read.ts'
// Values
export { addMonths, isCivilDate, isDocumentDate, santiagoDate, santiagoTimestamp } from './dates.ts'
// From a draft to a document
export { type Agreement, checkAgreement, type DisputedAmount } from './document/agree.ts'
export { buildDocumento, type Stamp } from './document/build.ts'
export { checkDraft, checkDte } from './document/check.ts'
export type * from './document/document.ts'
export { documentId, naturalKey } from './document/document.ts'
export { type Emission, type EmittedDte, emitDte, emitDteSync } from './document/emit.ts'
export { decimalsOf, ivaOn, MAX_PESOS } from './document/money.ts'
export type { Circumstances } from './document/rules/rule.ts'
export {
  ANONYMOUS_RUT,
  hasCedibleCopy,
  isTipoDte,
  SII_RUT,
  TIPO_NUMBERS,
  TIPOS,
  type Tipo,
  type TipoDte,
  tipo,
} from './document/tipos.ts'
export { completeDraft, computeTotals, hasGrossPrices, type Priced, priceDraft } from './document/totals.ts'
export { buildConsumoFolios, type ConsumoFolios, type FolioSummary } from './envelope/consumo-folios.ts'
// From a received file to a value
export { type ReadDocument, type ReadRule, readDte } from './envelope/read.ts'
export { type Caratula, type ReadEnvelope, readEnvelope } from './envelope/read-envelope.ts'
export { buildSobre, type EnclosedDte, type Resolucion, type Sobre, type SobreRule } from './envelope/sobre.ts'
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
} from './exchange/intercambio.ts'
export {
  ANSWER_ROOTS,
  type AnsweredEnvelope,
  type AnswerKind,
  type AnswerLine,
  type AnswerRule,
  type ReadAnswer,
  readAnswer,
} from './exchange/read-answer.ts'
export { buildEnvioRecibos, type EnvioRecibos, RECIBO_DECLARATION, type Recibo } from './exchange/recibos.ts'
export type { SiiOutcome } from './explain/codes.ts'
export { type ExplanationCode, MEANINGS, type Meaning } from './explain/copy.ts'
// What the SII answered, in words
export {
  type BoletaFinding,
  type Explanation,
  explain,
  explainBoletaFinding,
  explainText,
  type SiiAnswer,
  type SiiSource,
} from './explain/explain.ts'
export type { LibroEntry } from './libros/entry.ts'
export { buildLibroGuia, type GuiaEntry, type LibroGuia } from './libros/guias.ts'
export { buildLibroCompraVenta, type LibroCompraVenta } from './libros/libros.ts'
// The printed page
export { type Logo, LogoError, readLogo } from './pdf/logo.ts'
export { isLawfulFormat, PDF_FORMATS, type PdfFormat, type PdfOptions } from './pdf/options.ts'
export { renderPdf } from './pdf/render.ts'
export type { Outcome, Refusal } from './refusal.ts'
export { canonicalRut, checkDigit, formatRut, isRut, parseRut, printedRut, type Rut } from './rut.ts'
export { createSigner, type Signer } from './signature/sign.ts'
export { buildGetToken } from './signature/token.ts'
export { type CheckedSignature, firstRefusal, type VerifyRule, verifySignatures } from './signature/verify.ts'
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
export { DOCUMENTS, ELECTRONIC_TIPOS, isReferenceType } from './tables/documents.ts'
export { checkText, type TextFault } from './text.ts'
// Tipos that the service does not issue
export { buildUnissued } from './unissued/build.ts'
export {
  type AnyDte,
  type Commission,
  type Customs,
  isUnissued,
  type OtherCurrency,
  pesosOfExport,
  type UnissuedDte,
  type UnissuedItem,
  type UnissuedTotals,
} from './unissued/document.ts'
export { type ReadUnissued, readUnissued } from './unissued/read.ts'
export { isUnissuedTipo, UNISSUED_TIPOS, type UnissuedTipo, unissuedTipo } from './unissued/tipos.ts'
export { type Encoding, readWindows, writeWindows } from './xml/decode.ts'
export type { FormRule } from './xml/form.ts'
export { type ParseLimits, type ParseRule, parseXml, parseXmlText, type XmlDocument } from './xml/parse.ts'
export { rawElements } from './xml/raw.ts'
export type { XmlElement } from './xml/tree.ts'
export { childOf, childrenOf, textAt } from './xml/tree.ts'
export { latin1Bytes, XML_DECLARATION } from './xml/write.ts'
