/** An envelope of boletas (tipos 39 and 41) and a boleta (SII, Formato Boletas v4.1). */
export const BOLETA = `
EnvioBOLETA @version=1.0
 SetDTE @ID
  Caratula @version=1.0
   RutEmisor rut
   RutEnvia rut
   RutReceptor rut
   FchResol date
   NroResol nat d6
   TmstFirmaEnv dateTime
   SubTotDTE+2
    TpoDTE pos {39|41}
    NroDTE pos
  DTE+500 &DTE
 Signature &Signature
DTE @version=1.0
 Documento @ID
  Encabezado
   IdDoc
    TipoDTE pos {39|41}
    Folio folio
    FchEmis date
    IndServicio pos {1|2|3|4}
    IndMntNeto? int {2}
    PeriodoDesde? date
    PeriodoHasta? date
    FchVenc? date
    MedioPago? pos {1|2|3|4|5}
   Emisor
    RUTEmisor rut
    RznSocEmisor? str ..100
    GiroEmisor? str ..80
    CdgSIISucur? pos d9
    DirOrigen? str ..70
    CmnaOrigen? str ..20
    CiudadOrigen? str ..20
   Receptor
    RUTRecep rut
    CdgIntRecep? str ..20
    RznSocRecep? str ..100
    Contacto? str ..80
    CorreoRecep? str ..80
    TelefonoRecep? str ..20
    DirRecep? str ..70
    CmnaRecep? str ..20
    CiudadRecep? str ..20
    DirPostal? str ..70
    CmnaPostal? str ..20
    CiudadPostal? str ..20
   RUTProvSW? rut
   Totales
    MntNeto? monto
    MntExe? monto
    IVA? monto
    MntTotal monto
    MontoNF? valor
    TotalPeriodo? valor
    SaldoAnterior? valor
    VlrPagar? valor
  Detalle*1000
   NroLinDet pos >=1 <=1000
   CdgItem*5
    TpoCodigo str ..10
    VlrCodigo str ..35
   IndExe? pos {1|2|6}
   ItemEspectaculo? pos {01|02}
   RUTMandante? rut
   NmbItem str ..80
   InfoTicket?
    FolioTicket pos d6
    FchGenera fecha_evento
    NmbEvento str ..80
    TpoTicket str ..10
    CdgEvento str ..5
    FchEvento fecha_evento
    LugarEvento str ..80
    UbicEvento str ..20
    FilaUbicEvento? str ..3
    AsntoUbicEvento? str ..3
   DscItem? str ..1000
   QtyItem? dec12_6
   UnmdItem? str ..4
   PrcItem? dec12_6
   DescuentoPct? dec d5 f2 >=0.00 <=100.00
   DescuentoMonto? monto
   RecargoPct? dec d5 f2 >=0.00 <=100.00
   RecargoMonto? monto
   MontoItem monto
  SubTotInfo*20
   NroSTI pos >=1 <=20
   GlosaSTI? str ..80
   OrdenSTI? pos <=99
   SubTotNetoSTI? dec16_2
   SubTotIVASTI? dec16_2
   SubTotAdicSTI? dec16_2
   SubTotExeSTI? dec16_2
   ValSubtotSTI? dec16_2
   LineasDeta*1000 pos <=1000
  DscRcgGlobal*20
   NroLinDR pos >=1 <=20
   TpoMov str {D|R}
   GlosaDR? str ..45
   TpoValor str {%|$}
   ValorDR dec16_2
   IndExeDR? pos {1|2}
  Referencia*40
   NroLinRef pos >=1 <=40
   TpoDocRef? str ..3
   FolioRef? str ..18
   CodRef? str ..18
   RazonRef? str ..90
   CodVndor? str ..8
   CodCaja? str ..8
  GeoRefEmision?
   LatitudEmision str ..30
   LongitudEmision str ..30
   SistemaReferencia pos <=9
  TED @version="1.0"
   DD
    RE rut
    TD pos {39|41}
    F folio
    FE date
    RR rut
    RSR str ..40
    MNT unsignedLong
    IT1 str ..40
    CAF @version="1.0"
     DA
      RE rut
      RS str ..40
      TD pos {39|41}
      RNG
       D folio
       H folio
      FA date
      | RSAPK
       M base64
       E base64
      | DSAPK
       P base64
       Q base64
       G base64
       Y base64
      IDK long
     FRMA base64 @algoritmo="SHA1withRSA"
    TSTED dateTime
   FRMT base64 @algoritmo{SHA1withRSA|SHA1withDSA}
  TmstFirma dateTime
 Signature &Signature
`
