/** A DTE: one of three kinds of document and its signature (SII, Formato DTE v2.4.2). */
export const DTE = `
DTE @version=1.0
 | Documento &Documento
 | Liquidacion &Liquidacion
 | Exportaciones &Exportaciones
 Signature &Signature
`

/** Tipos 33, 34, 46, 52, 56 and 61. */
export const DOCUMENTO = `
Documento @ID
 Encabezado
  IdDoc
   TipoDTE pos {33|34|46|52|56|61}
   Folio folio
   FchEmis fecha
   IndNoRebaja? pos {1}
   TipoDespacho? pos {1|2|3}
   IndTraslado? pos {1|2|3|4|5|6|7|8|9}
   TpoImpresion? str {N|T}
   IndServicio? pos {1|2|3}
   MntBruto? int {1}
   TpoTranCompra? pos {1|2|3|4|5|6|7}
   TpoTranVenta? pos {1|2|3|4}
   FmaPago? pos {1|2|3}
   FmaPagExp? pos d2
   FchCancel? fecha
   MntCancel? monto
   SaldoInsol? monto
   MntPagos*30 &MntPagos
   PeriodoDesde? fecha
   PeriodoHasta? fecha
   MedioPago? medio_pago
   TpoCtaPago? str {AHORRO|CORRIENTE|VISTA}
   NumCtaPago? str ..20
   BcoPago? str ..40
   TermPagoCdg? str ..4
   TermPagoGlosa? str ..100
   TermPagoDias? pos d3
   FchVenc? fecha
   TipoFactEsp? nat {1}
  Emisor
   RUTEmisor rut
   RznSoc str ..100
   GiroEmis str 1..80
   Telefono*2 str ..20
   CorreoEmisor? str ..80
   Acteco+4 pos d6
   GuiaExport?
    CdgTraslado? pos {1|2|3|4}
    FolioAut? nat d6
    FchAut? fecha
   Sucursal? str ..20
   CdgSIISucur? pos d9
   DirOrigen? str ..70
   CmnaOrigen? str ..20
   CiudadOrigen? str ..20
   CdgVendedor? str ..60
   IdAdicEmisor? str 1..20
   RUTProveedor? rut
   RznSocProveedor? str ..100
  RUTMandante? rut
  Receptor
   RUTRecep rut
   CdgIntRecep? str ..20
   RznSocRecep str ..100
   Extranjero?
    NumId? str 1..20
    Nacionalidad? str 1..3
    TipoDocID? nat {1|2}
   GiroRecep? str ..40
   Contacto? str ..80
   CorreoRecep? str ..80
   DirRecep? str ..70
   CmnaRecep? str ..20
   CiudadRecep? str ..20
   DirPostal? str ..70
   CmnaPostal? str ..20
   CiudadPostal? str ..20
  RUTSolicita? rut
  Transporte? &Transporte
  Totales
   MntNeto? monto
   MntExe? monto
   MntBase? monto
   MntMargenCom? monto
   TasaIVA? pct
   IVA? monto
   IVAProp? monto
   IVATerc? monto
   ImptoReten*20
    TipoImp impuesto
    TasaImp? dec d5 f2 >=0.01 <=100.00
    MontoImp valor
   IVANoRet? pos d18
   CredEC? monto
   GrntDep? monto
   Comisiones?
    ValComNeto? monto
    ValComExe? monto
    ValComIVA? monto
   MntTotal monto
   MontoNF? valor
   MontoPeriodo? valor
   SaldoAnterior? valor
   VlrPagar? valor
  OtraMoneda?
   TpoMoneda moneda
   TpoCambio? dec6_4
   MntNetoOtrMnda? dec14_4
   MntExeOtrMnda? dec14_4
   MntFaeCarneOtrMnda? dec14_4
   MntMargComOtrMnda? dec14_4
   IVAOtrMnda? dec14_4
   ImpRetOtrMnda*20
    TipoImpOtrMnda impuesto
    TasaImpOtrMnda? pct
    VlrImpOtrMnda dec14_4
   IVANoRetOtrMnda? dec14_4
   MntTotOtrMnda dec14_4
 Detalle+60
  NroLinDet pos <=99
  CdgItem*5 &CdgItem
  IndExe? pos {1|2|3|4|5|6}
  Retenedor?
   IndAgente str {R}
   MntBaseFaena? monto
   MntMargComer? monto
   PrcConsFinal? monto
  NmbItem str ..80
  DscItem? str ..1000
  QtyRef? dec12_6
  UnmdRef? str ..4
  PrcRef? dec12_6
  QtyItem? dec12_6
  Subcantidad*5 &Subcantidad
  FchElabor? fecha
  FchVencim? fecha
  UnmdItem? str ..4
  PrcItem? dec12_6
  OtrMnda?
   PrcOtrMon dec12_6
   Moneda str ..3
   FctConv? dec6_4
   DctoOtrMnda? dec14_4
   RecargoOtrMnda? dec14_4
   MontoItemOtrMnda? dec14_4
  DescuentoPct? pct
  DescuentoMonto? pos d18
  SubDscto*5
   TipoDscto str {%|$}
   ValorDscto dec16_2
  RecargoPct? pct
  RecargoMonto? pos d18
  SubRecargo*5
   TipoRecargo str {%|$}
   ValorRecargo dec16_2
  CodImpAdic*2 impuesto
  MontoItem monto
 SubTotInfo*20 &SubTotInfo
 DscRcgGlobal*20
  NroLinDR pos
  TpoMov str {D|R}
  GlosaDR? str ..45
  TpoValor str {%|$}
  ValorDR dec16_2
  ValorDROtrMnda? dec14_4
  IndExeDR? pos {1|2}
 Referencia*40
  NroLinRef pos <=99
  TpoDocRef str 1..3
  IndGlobal? nat {1}
  FolioRef str 1..18
  RUTOtr? rut
  FchRef fecha
  CodRef? pos {1|2|3}
  RazonRef? str ..90
 GeoRefEmision?
  LatitudEmision str ..30
  LongitudEmision str ..30
  SistemaReferencia pos <=9
 ManejoMadera?
  ComunaRolOrigen pos d6
  MnzRolOrigen pos d6
  PrdRolOrigen pos d6
  CodPlanConaf str ..40
  LatitudOrigenMadera str ..30
  LongitudOrigenMadera str ..30
  SistemareferenciaMadera pos d1
 Comisiones*20
  NroLinCom pos >=1 <=20
  TipoMovim str {C|O}
  Glosa str 1..60
  TasaComision? pct
  ValComNeto monto
  ValComExe monto
  ValComIVA? monto
 TED @version="1.0"
  DD
   RE rut
   TD pos {33|34|46|52|56|61}
   F folio
   FE fecha
   RR rut
   RSR str 1..40
   MNT unsignedLong
   IT1 str 1..40
   CAF @version="1.0"
    DA
     RE rut
     RS str 1..40
     TD pos {33|34|46|52|56|61}
     RNG &RNG
     FA fecha
     | RSAPK &RSAPK
     | DSAPK &DSAPK
     IDK long
    FRMA base64 @algoritmo="SHA1withRSA"
   TSTED fecha_hora
  FRMT base64 @algoritmo{SHA1withRSA|SHA1withDSA}
 TmstFirma fecha_hora
`

/** What several kinds of document have alike. */
export const SHARED = `
MntPagos
 FchPago fecha
 MntPago monto
 GlosaPagos? str ..40
Transporte
 Patente? str ..8
 RUTTrans? rut
 Chofer? &Chofer
 DirDest? str ..70
 CmnaDest? str ..20
 CiudadDest? str ..20
 Aduana? &Aduana
Chofer
 RUTChofer rut
 NombreChofer str ..30
Aduana
 CodModVenta? pos d2
 CodClauVenta? pos d2
 TotClauVenta? dec16_2
 CodViaTransp? pos d2
 NombreTransp? str ..40
 RUTCiaTransp? rut
 NomCiaTransp? str ..40
 IdAdicTransp? str 1..20
 Booking? str 1..20
 Operador? str 1..20
 CodPtoEmbarque? pos d4
 IdAdicPtoEmb? str 1..20
 CodPtoDesemb? pos d4
 IdAdicPtoDesemb? str 1..20
 Tara? pos d7
 CodUnidMedTara? pos d2
 PesoBruto? dec d10 f2
 CodUnidPesoBruto? pos d2
 PesoNeto? dec d10 f2
 CodUnidPesoNeto? pos d2
 TotItems? pos d18
 TotBultos? pos d18
 TipoBultos*10 &TipoBultos
 MntFlete? dec14_4
 MntSeguro? dec14_4
 CodPaisRecep? pos d3
 CodPaisDestin? pos d3
TipoBultos
 CodTpoBultos? pos d3
 CantBultos? folio
 Marcas? str ..255
 IdContainer? str ..25
 Sello? str ..20
 EmisorSello? str ..70
CdgItem
 TpoCodigo str ..10
 VlrCodigo str ..35
Subcantidad
 SubQty dec12_6
 SubCod str ..35
SubTotInfo
 NroSTI pos <=99
 GlosaSTI str ..40
 OrdenSTI? pos <=99
 SubTotNetoSTI? dec16_2
 SubTotIVASTI? dec16_2
 SubTotAdicSTI? dec16_2
 SubTotExeSTI? dec16_2
 ValSubtotSTI? dec16_2
 LineasDeta*60 pos
RNG
 D folio
 H folio
RSAPK
 M base64
 E base64
DSAPK
 P base64
 Q base64
 G base64
 Y base64
`
