/** Tipo 43. */
export const LIQUIDACION = `
Liquidacion @ID
 Encabezado
  IdDoc
   TipoDTE pos {43}
   Folio folio
   FchEmis fecha
   IndServicio? pos {1|2|3}
   MntBruto? int {1}
   TpoTranCompra? pos {1|2|3|4|5|6|7}
   TpoTranVenta? pos {1|2|3|4}
   FmaPago? pos {1|2|3}
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
  Emisor
   RUTEmisor rut
   RznSoc str 1..100
   GiroEmis str 1..80
   Telefono*2 str ..20
   CorreoEmisor? str ..80
   Acteco+4 pos d6
   Sucursal? str ..20
   CdgSIISucur? pos d9
   DirOrigen str ..70
   CmnaOrigen? str ..20
   CiudadOrigen? str ..20
   CdgVendedor? str ..60
  Receptor
   RUTRecep rut
   CdgIntRecep? str ..20
   RznSocRecep str ..100
   GiroRecep str ..40
   Contacto? str ..80
   CorreoRecep? str ..80
   DirRecep str ..70
   CmnaRecep str ..20
   CiudadRecep? str ..20
   DirPostal? str ..70
   CmnaPostal? str ..20
   CiudadPostal? str ..20
  Totales
   MntNeto? valor
   MntExe? valor
   TasaIVA? pct
   IVA? valor
   IVAProp? valor
   IVATerc? valor
   ImptoReten*20
    TipoImp impuesto
    TasaImp? pct
    MontoImp valor
   Comisiones?
    ValComNeto? valor
    ValComExe? valor
    ValComIVA? valor
   MntTotal valor
   MontoPeriodo? valor
   SaldoAnterior? valor
   VlrPagar? valor
 Detalle+60
  NroLinDet pos <=99
  CdgItem*5 &CdgItem
  TpoDocLiq str 1..3
  IndExe? pos {1|2|3|4|5|6}
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
  CodImpAdic*2 impuesto
  MontoItem valor
 SubTotInfo*20 &SubTotInfo
 Referencia*40
  NroLinRef pos <=99
  TpoDocRef str 1..3
  IndGlobal? nat {1}
  FolioRef str 1..18
  FchRef fecha
  CodRef? pos {1|2|3}
  RazonRef? str ..90
 Comisiones*20
  NroLinCom pos d2 <=20
  TipoMovim str {C|O}
  Glosa str 1..60
  TasaComision? pct
  ValComNeto valor
  ValComExe valor
  ValComIVA? valor
 TED @version="1.0"
  DD
   RE rut
   TD pos {43}
   F folio
   FE fecha
   RR rut
   RSR str 1..40
   MNT valor
   IT1 str 1..40
   CAF @version="1.0"
    DA
     RE rut
     RS str 1..40
     TD pos {43}
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

/** Tipos 110, 111 and 112. */
export const EXPORTACIONES = `
Exportaciones @ID
 Encabezado
  IdDoc
   TipoDTE pos {110|111|112}
   Folio folio
   FchEmis fecha
   TipoDespacho? pos {1|2|3}
   IndServicio? pos {3|4|5|6}
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
  Emisor
   RUTEmisor rut
   RznSoc str 1..100
   GiroEmis str 1..80
   Telefono*2 str ..20
   CorreoEmisor? str ..80
   Acteco+4 pos d6
   Sucursal? str ..20
   CdgSIISucur? pos d9
   CodAdicSucur? str ..20
   DirOrigen? str ..70
   CmnaOrigen? str ..20
   CiudadOrigen? str ..20
   CdgVendedor? str ..60
   IdAdicEmisor? str 1..20
  Receptor
   RUTRecep rut
   CdgIntRecep? str ..20
   RznSocRecep str ..100
   Extranjero?
    NumId? str 1..20
    Nacionalidad? str 1..3
    IdAdicRecep? str 1..20
   GiroRecep? str ..40
   Contacto? str ..80
   CorreoRecep? str ..80
   DirRecep? str ..70
   CmnaRecep? str ..20
   CiudadRecep? str ..20
   DirPostal? str ..70
   CmnaPostal? str ..20
   CiudadPostal? str ..20
  Transporte? &Transporte
  Totales
   TpoMoneda moneda
   MntExe dec14_4_o_cero
   MntTotal dec14_4_o_cero
  OtraMoneda?
   TpoMoneda moneda
   TpoCambio? dec6_4
   MntExeOtrMnda? dec14_4_o_cero
   MntTotOtrMnda dec14_4_o_cero
 Detalle+60
  NroLinDet pos <=99
  CdgItem*5 &CdgItem
  IndExe? pos {1|2|3|4|5|6}
  NmbItem str ..80
  DscItem? str ..1000
  QtyRef? dec12_6
  UnmdRef? str ..4
  PrcRef? dec12_6
  QtyItem? dec12_6
  Subcantidad*5
   SubQty dec12_6
   SubCod str ..35
   TipCodSubQty? str 1..10
  FchElabor? fecha
  FchVencim? fecha
  UnmdItem? str ..4
  PrcItem? dec12_6
  OtrMnda?
   PrcOtrMon dec14_4
   Moneda str ..3
   FctConv? dec6_4
   DctoOtrMnda? dec14_4
   RecargoOtrMnda? dec14_4
   MontoItemOtrMnda dec14_4
  DescuentoPct? pct
  DescuentoMonto? pos d18
  SubDscto*5
   TipoDscto str {$|%}
   ValorDscto dec16_2
  RecargoPct? pct
  RecargoMonto? pos d18
  SubRecargo*5
   TipoRecargo str {$|%}
   ValorRecargo dec16_2
  MontoItem dec14_4_o_cero
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
  IdAdicOtr? str 1..20
  FchRef date >=1950-01-01 <=2050-12-31
  CodRef? pos {1|2|3}
  RazonRef? str ..90
 TED @version="1.0"
  DD
   RE rut
   TD pos {110|111|112}
   F folio
   FE fecha
   RR rut
   RSR str 1..40
   MNT dec14_4_o_cero
   IT1 str 1..40
   CAF @version="1.0"
    DA
     RE rut
     RS str 1..40
     TD pos {110|111|112}
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
