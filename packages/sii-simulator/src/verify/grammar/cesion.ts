/** The file of a cesión (AEC) and its layers. */
export const CESION = `
AEC @version="1.0"
 DocumentoAEC @ID
  Caratula @version=1.0
   RutCedente rut
   RutCesionario rut
   NmbContacto? str ..40
   FonoContacto? str ..40
   MailContacto? str ..80
   TmstFirmaEnvio dateTime
  Cesiones
   DTECedido &DTECedido
   Cesion+40 &Cesion
 Signature &Signature
DTECedido @version="1.0"
 DocumentoDTECedido @ID
  DTE &DTE
  ImagenDTE? base64
  Recibo*40 &Recibo
  ImagenAR? base64 ..4000000
  TmstFirma dateTime
 Signature &Signature
Cesion @version=1.0
 DocumentoCesion @ID
  SeqCesion pos d3
  IdDTE
   TipoDTE pos {33|34|46|43}
   RUTEmisor rut
   RUTReceptor rut
   Folio folio
   FchEmis date
   MntTotal monto
  Cedente
   RUT rut
   RazonSocial str 1..100
   Direccion str 5..80
   eMail str 6..80
   RUTAutorizado+3
    RUT rut
    Nombre str ..40
   DeclaracionJurada? str ..512
  Cesionario
   RUT any
   RazonSocial str 1..100
   Direccion str 5..80
   eMail str 6..80
  MontoCesion monto
  UltimoVencimiento date
  OtrasCondiciones? str ..512
  eMailDeudor? str ..80
  TmstCesion dateTime
 Signature+3 &Signature
Recibo @version=1.0
 DocumentoRecibo @ID
  TipoDoc pos {33|34|46|52|56|61}
  Folio folio
  FchEmis date
  RUTEmisor rut
  RUTRecep rut
  MntTotal monto
  Recinto str ..80
  RutFirma rut
  Declaracion declaracion
  TmstFirmaRecibo dateTime
 Signature &Signature
`
