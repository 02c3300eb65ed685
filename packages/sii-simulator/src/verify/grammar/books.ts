/** Daily use of boleta folios (RVD). */
export const CONSUMO_FOLIOS = `
ConsumoFolios @version=1.0
 DocumentoConsumoFolios @ID
  Caratula @version=1.0
   RutEmisor rut
   RutEnvia rut
   FchResol date
   NroResol nat d6
   FchInicio date
   FchFinal date
   Correlativo? nat d3
   SecEnvio nat d3
   TmstFirmaEnv dateTime
  Resumen+3
   TipoDocumento pos {39|41|61}
   MntNeto? monto
   MntIva? monto
   TasaIVA? pct
   MntExento? monto
   MntTotal monto
   FoliosEmitidos nat d6
   FoliosAnulados nat d6
   FoliosUtilizados nat d6
   RangoUtilizados*
    Inicial folio
    Final folio
   RangoAnulados*
    Inicial folio
    Final? folio
 Signature &Signature
`

/** Book of purchases or sales; without the accounting certificates LceCal and LceCoCertif. */
export const LIBRO_COMPRA_VENTA = `
LibroCompraVenta @version=1.0
 EnvioLibro @ID
  Caratula
   RutEmisorLibro rut
   RutEnvia rut
   PeriodoTributario gYearMonth
   FchResol date
   NroResol nat d6
   TipoOperacion str {COMPRA|VENTA}
   TipoLibro str {MENSUAL|ESPECIAL|RECTIFICA}
   TipoEnvio str {PARCIAL|FINAL|TOTAL|AJUSTE}
   NroSegmento? pos d6
   FolioNotificacion? folio
   CodAutRec? str ..10
  ResumenSegmento?
   TotalesSegmento+40
    TpoDoc documento_libro
    TpoImp? pos {1|2}
    TotDoc int d10
    TotAnulado? int d10
    TotOpExe? int d10
    TotMntExe valor
    TotMntNeto valor
    TotOpIVARec? int d10
    TotMntIVA valor
    TotOpActivoFijo? int d10
    TotMntActivoFijo? valor
    TotMntIVAActivoFijo? valor
    TotIVANoRec*5
     CodIVANoRec pos {1|2|3|4|9}
     TotOpIVANoRec? int d10
     TotMntIVANoRec valor
    TotOpIVAUsoComun? int d10
    TotIVAUsoComun? valor
    TotIVAFueraPlazo? valor
    TotIVAPropio? valor
    TotIVATerceros? valor
    TotLey18211? valor
    TotOtrosImp*20
     CodImp impuesto_libro
     TotMntImp valor
    TotImpSinCredito? valor
    TotOpIVARetTotal? int d10
    TotIVARetTotal? valor
    TotOpIVARetParcial? int d10
    TotIVARetParcial? valor
    TotCredEC? valor
    TotDepEnvase? valor
    TotLiquidaciones? &TotLiquidaciones
    TotMntTotal valor
    TotOpIVANoRetenido? int d10
    TotIVANoRetenido? valor
    TotMntNoFact? valor
    TotMntPeriodo? valor
    TotPsjNac? valor
    TotPsjInt? valor
    TotTabPuros? valor
    TotTabCigarrillos? valor
    TotTabElaborado? valor
  ResumenPeriodo?
   TotalesPeriodo+40
    TpoDoc documento_libro
    TpoImp? pos {1|2}
    TotDoc nat d10
    TotAnulado? folio
    TotOpExe? folio
    TotMntExe valor
    TotMntNeto valor
    TotOpIVARec? folio
    TotMntIVA valor
    TotOpActivoFijo? folio
    TotMntActivoFijo? monto
    TotMntIVAActivoFijo? monto
    TotIVANoRec*5
     CodIVANoRec pos {1|2|3|4|9}
     TotOpIVANoRec? folio
     TotMntIVANoRec monto
    TotOpIVAUsoComun? folio
    TotIVAUsoComun? monto
    FctProp? dec d5 f3 >=00.001 <=99.999
    TotCredIVAUsoComun? monto
    TotIVAFueraPlazo? monto
    TotIVAPropio? valor
    TotIVATerceros? valor
    TotLey18211? monto
    TotOtrosImp*20
     CodImp impuesto_libro
     TotMntImp valor
     FctImpAdic? dec d6 f4 >=0.001 <=1.000
     TotCredImp? monto
    TotImpSinCredito? monto
    TotOpIVARetTotal? folio
    TotIVARetTotal? monto
    TotOpIVARetParcial? folio
    TotIVARetParcial? monto
    TotCredEC? monto
    TotDepEnvase? monto
    TotLiquidaciones? &TotLiquidaciones
    TotMntTotal valor
    TotOpIVANoRetenido? folio
    TotIVANoRetenido? monto
    TotMntNoFact? valor
    TotMntPeriodo? valor
    TotPsjNac? monto
    TotPsjInt? monto
    TotTabPuros? monto
    TotTabCigarrillos? monto
    TotTabElaborado? monto
    TotImpVehiculo? monto
  Detalle*
   TpoDoc documento_libro
   Emisor? pos {1}
   IndFactCompra? pos {1}
   NroDoc folio
   Anulado? str {A}
   Operacion? pos {1|2}
   TpoImp? pos {1|2}
   TasaImp? tasa
   NumInt? str ..10
   IndServicio? pos {1|2|3}
   IndSinCosto? pos {1}
   FchDoc? fecha
   CdgSIISucur? pos d9
   RUTDoc? rut
   RznSoc? str ..50
   Extranjero?
    NumId? str 1..20
    Nacionalidad? str 1..3
   TpoDocRef? documento_libro
   FolioDocRef? folio
   MntExe? valor
   MntNeto? valor
   MntIVA? valor
   MntActivoFijo? monto
   MntIVAActivoFijo? monto
   IVANoRec*5
    CodIVANoRec pos {1|2|3|4|9}
    MntIVANoRec monto
   IVAUsoComun? monto
   IVAFueraPlazo? monto
   IVAPropio? valor
   IVATerceros? valor
   Ley18211? monto
   OtrosImp*20
    CodImp impuesto_libro
    TasaImp? tasa
    MntImp valor
   MntSinCred? monto
   IVARetTotal? monto
   IVARetParcial? monto
   CredEC? monto
   DepEnvase? monto
   Liquidaciones?
    RutEmisor rut
    ValComNeto? valor
    ValComExe? valor
    ValComIVA? valor
   MntTotal? valor
   IVANoRetenido? monto
   MntNoFact? valor
   MntPeriodo? valor
   PsjNac? monto
   PsjInt? monto
   TabPuros? monto
   TabCigarrillos? monto
   TabElaborado? monto
   ImpVehiculo? monto
  TmstFirma dateTime
 Signature &Signature
TotLiquidaciones
 TotValComNeto? valor
 TotValComExe? valor
 TotValComIVA? valor
`

/** Book of guías. */
export const LIBRO_GUIA = `
LibroGuia @version=1.0
 EnvioLibro @ID
  Caratula
   RutEmisorLibro rut_libro
   RutEnvia rut_libro
   PeriodoTributario gYearMonth
   FchResol date
   NroResol nat
   TipoLibro str {ESPECIAL}
   TipoEnvio? str {PARCIAL|FINAL|TOTAL|AJUSTE}
   NroSegmento? pos d6
   FolioNotificacion pos d18
  ResumenSegmento?
   TotFolAnulado? int d10
   TotGuiaAnulada? int d10
   TotGuiaVenta int d10
   TotMntGuiaVta valor
   TotMntModificado? valor
   TotTraslado*6
    TpoTraslado pos {2|3|4|5|6|7|8|9}
    CantGuia int d10
    MntGuia? valor
  ResumenPeriodo?
   TotFolAnulado? nat d10
   TotGuiaAnulada? nat d10
   TotGuiaVenta nat d10
   TotMntGuiaVta monto
   TotMntModificado? monto
   TotTraslado*6
    TpoTraslado pos {2|3|4|5|6|7|8|9}
    CantGuia nat d10
    MntGuia? monto
  Detalle*
   Folio folio
   Anulado? pos {1|2|3}
   Operacion? pos {1|2}
   TpoOper? pos {1|2|3|4|5|6|7}
   FchDoc? date
   RUTDoc? rut_libro
   RznSoc? str ..50
   MntNeto? monto
   TasaImp? tasa
   IVA? monto
   MntTotal? monto
   MntModificado? monto
   TpoDocRef? documento_guia
   FolioDocRef? folio
   FchDocRef? date
  TmstFirma dateTime
 Signature &Signature
`
