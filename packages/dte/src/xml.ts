/** The face for those who read XML and nothing else: what the SII answers, without keys, documents or pages. */
export type { Outcome } from './refusal.ts'
export { type ParseLimits, type ParseRule, parseXml, parseXmlText, type XmlDocument } from './xml/parse.ts'
export { childOf, childrenOf, textAt, type XmlElement } from './xml/tree.ts'
