import type { Receptor } from '@timbre/dte/draft'

const body = (rut: string, legal_name: string, street: string, comuna: string, city = 'Santiago'): Receptor => ({
  rut,
  legal_name,
  giro: 'Administración pública',
  address: { street, comuna, city },
})

/**
 * Whom test documents go to where the empresa has no counterparties: bodies of the State, whose RUT and address are
 * public. Nothing reaches them, because documents of the environment of certification are not exchanged.
 */
export const PUBLIC_BODIES: readonly Receptor[] = [
  body('60803000-K', 'Servicio de Impuestos Internos', 'Teatinos 120', 'Santiago'),
  body('60805000-0', 'Tesorería General de la República', 'Teatinos 28', 'Santiago'),
  body('61002000-3', 'Servicio de Registro Civil e Identificación', 'Catedral 1772', 'Santiago'),
  body('60703000-6', 'Instituto Nacional de Estadísticas', 'Morandé 801', 'Santiago'),
  body('61603000-0', 'Fondo Nacional de Salud', 'Monjitas 665', 'Santiago'),
  body('61502000-1', 'Dirección del Trabajo', 'Agustinas 1253', 'Santiago'),
  body('69070100-6', 'Municipalidad de Santiago', 'Plaza de Armas s/n', 'Santiago'),
  body('69070300-9', 'Municipalidad de Providencia', 'Avenida Pedro de Valdivia 963', 'Providencia'),
  body('60804000-5', 'Servicio Nacional de Aduanas', 'Plaza Sotomayor 60', 'Valparaíso', 'Valparaíso'),
  body('60910000-1', 'Universidad de Chile', "Avenida Libertador Bernardo O'Higgins 1058", 'Santiago'),
  body(
    '60911000-7',
    'Universidad de Santiago de Chile',
    "Avenida Libertador Bernardo O'Higgins 3363",
    'Estación Central',
  ),
  body('60503000-9', 'Empresa de Correos de Chile', 'Plaza de Armas 989', 'Santiago'),
]
