import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { registerOfficialSchemas } from './official-schemas.ts'
import { readReference } from './shared.ts'

const NAMESPACE = 'xmlns="http://www.sii.cl/SiiDte"'

/** What the official schema says of a DTE, with a stamp and a signature of the right shape put in their places. */
export interface Schema {
  validate(documento: string, kind: 'EnvioDTE' | 'EnvioBOLETA'): string | null
  dispose(): void
}

export const PLACEHOLDER_TED = [
  '<TED version="1.0"><DD><RE>76543210-3</RE><TD>TIPO</TD><F>1</F><FE>2026-10-05</FE><RR>77123456-9</RR>',
  '<RSR>CLIENTE</RSR><MNT>1</MNT><IT1>Item</IT1><CAF version="1.0"><DA><RE>76543210-3</RE><RS>EMPRESA</RS>',
  '<TD>TIPO</TD><RNG><D>1</D><H>50</H></RNG><FA>2026-10-01</FA><RSAPK><M>AQ==</M><E>Aw==</E></RSAPK><IDK>100</IDK>',
  '</DA><FRMA algoritmo="SHA1withRSA">AQ==</FRMA></CAF><TSTED>2026-10-05T12:00:00</TSTED></DD>',
  '<FRMT algoritmo="SHA1withRSA">AQ==</FRMT></TED>',
].join('')

const SIGNATURE = [
  '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo>',
  '<CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"></CanonicalizationMethod>',
  '<SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#rsa-sha1"></SignatureMethod><Reference URI="#X">',
  '<Transforms><Transform Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"></Transform></Transforms>',
  '<DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"></DigestMethod><DigestValue>AQ==</DigestValue>',
  '</Reference></SignedInfo><SignatureValue>AQ==</SignatureValue><KeyInfo><KeyValue><RSAKeyValue>',
  '<Modulus>AQ==</Modulus><Exponent>AQAB</Exponent></RSAKeyValue></KeyValue>',
  '<X509Data><X509Certificate>AQ==</X509Certificate></X509Data></KeyInfo></Signature>',
].join('')

const CARATULA = [
  '<Caratula version="1.0"><RutEmisor>76543210-3</RutEmisor><RutEnvia>12345678-5</RutEnvia>',
  '<RutReceptor>60803000-K</RutReceptor><FchResol>2026-09-01</FchResol><NroResol>0</NroResol>',
  '<TmstFirmaEnv>2026-10-05T12:05:00</TmstFirmaEnv><SubTotDTE><TpoDTE>TIPO</TpoDTE><NroDTE>1</NroDTE></SubTotDTE>',
  '</Caratula>',
].join('')

function envelope(documento: string, kind: string): string {
  const tipo = /<TipoDTE>(\d+)</.exec(documento)?.[1] ?? ''
  const dte = `<DTE ${NAMESPACE} version="1.0">${documento}${SIGNATURE}</DTE>`
  const set = `<SetDTE ID="SetDoc">${CARATULA.replaceAll('TIPO', tipo)}${dte}</SetDTE>`
  return `<${kind} ${NAMESPACE} version="1.0">${set}${SIGNATURE}</${kind}>`
}

/** Loads both schemas once. They define the same names twice, so each has its own validator. */
export function loadSchemas(): Schema {
  registerOfficialSchemas()
  const validators = new Map(
    (['EnvioDTE', 'EnvioBOLETA'] as const).map((kind) => {
      const name = kind === 'EnvioDTE' ? 'EnvioDTE_v10.xsd' : 'EnvioBOLETA_v11.xsd'
      using schema = XmlDocument.fromBuffer(readReference('schemas', name), { url: `sii/${name}` })
      return [kind, XsdValidator.fromDoc(schema)]
    }),
  )
  return {
    validate(documento, kind) {
      const document = XmlDocument.fromString(envelope(documento, kind))
      try {
        validators.get(kind)?.validate(document)
        return null
      } catch (failure) {
        return failure instanceof Error ? failure.message : String(failure)
      } finally {
        document.dispose()
      }
    },
    dispose() {
      for (const validator of validators.values()) validator.dispose()
    },
  }
}
