/** An envelope of DTEs. */
export const ENVIO_DTE = `
EnvioDTE @version=1.0
 SetDTE @ID
  Caratula @version=1.0
   RutEmisor rut
   RutEnvia rut
   RutReceptor rut
   FchResol fecha
   NroResol nat d6
   TmstFirmaEnv fecha_hora
   SubTotDTE+20
    TpoDTE pos {33|34|43|46|52|56|61|110|111|112}
    NroDTE pos
  DTE+2000 &DTE
 Signature &Signature
`

/** XML Signature as the SII narrows it: one reference, RSA-SHA1 or DSA-SHA1, key before certificate. */
export const SIGNATURE = `
Signature
 SignedInfo
  CanonicalizationMethod @Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
  SignatureMethod @Algorithm{http://www.w3.org/2000/09/xmldsig#rsa-sha1|http://www.w3.org/2000/09/xmldsig#dsa-sha1}
  Reference @URI:uri
   Transforms?
    Transform @Algorithm:uri
   DigestMethod @Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"
   DigestValue base64
 SignatureValue base64
 KeyInfo
  KeyValue
   | RSAKeyValue
    Modulus base64
    Exponent base64
   | DSAKeyValue
    P base64
    Q base64
    G base64
    Y base64
  X509Data
   X509Certificate base64
`
