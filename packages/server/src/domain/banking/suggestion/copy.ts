const COUNTRIES: Readonly<Record<string, string>> = {
  AU: 'Australia',
  CA: 'Canadá',
  GB: 'Reino Unido',
  IE: 'Irlanda',
  IL: 'Israel',
  LT: 'Lituania',
  SE: 'Suecia',
  US: 'Estados Unidos',
}

/** A seller abroad, on a factura de compra, whose address nobody gave us. */
export const SELLER = {
  giro: 'Servicios digitales desde el extranjero',
  address: (country: string) => ({
    street: 'Sin domicilio en Chile',
    comuna: 'Extranjero',
    city: COUNTRIES[country] ?? 'Extranjero',
  }),
} as const

/** The line of the document. */
export const LINE_OF = (provider: string) => `Servicios digitales de ${provider}`
