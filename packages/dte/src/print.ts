/** The face for those who only print: a document and its page, no XML parser and no keys. */

export { completeDraft } from './document/totals.ts'
export { isLawfulFormat, PDF_FORMATS, type PdfFormat, type PdfOptions } from './pdf/options.ts'
export { renderPdf } from './pdf/render.ts'
