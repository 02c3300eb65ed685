/**
 * The 346 comunas by the SII office that serves them, whose name is printed under the red box ("S.I.I. - MAIPÚ").
 * A DTE carries the comuna as free text: this table names offices and never refuses a document. Coihueco, San Rafael,
 * Navidad, Quinchao and Antártica are placed with the office of their province, for want of a published row.
 */
const OFFICES: Readonly<Record<string, string>> = {
  ARICA: 'Arica, Camarones, Putre, General Lagos',
  IQUIQUE: 'Iquique, Pica, Pozo Almonte, Huara, Camiña, Colchane, Alto Hospicio',
  ANTOFAGASTA: 'Antofagasta, Mejillones, Sierra Gorda',
  CALAMA: 'Calama, San Pedro de Atacama, Ollagüe',
  TOCOPILLA: 'Tocopilla, María Elena',
  TALTAL: 'Taltal',
  COPIAPÓ: 'Copiapó, Caldera, Tierra Amarilla',
  CHAÑARAL: 'Chañaral, Diego de Almagro',
  VALLENAR: 'Vallenar, Freirina, Huasco, Alto del Carmen',
  'LA SERENA': 'La Serena, La Higuera, Paihuano, Andacollo, Vicuña',
  OVALLE: 'Ovalle, Monte Patria, Punitaqui, Combarbalá, Río Hurtado',
  ILLAPEL: 'Illapel, Salamanca, Los Vilos, Canela',
  COQUIMBO: 'Coquimbo',
  VALPARAÍSO: 'Valparaíso, Casablanca, Juan Fernández, Isla de Pascua',
  'VIÑA DEL MAR': 'Viña del Mar, Concón, Quintero, Puchuncaví',
  'LA LIGUA': 'La Ligua, Petorca, Cabildo, Zapallar, Papudo',
  'SAN ANTONIO': 'San Antonio, Santo Domingo, Cartagena, El Tabo, El Quisco, Algarrobo',
  QUILLOTA: 'Quillota, Nogales, Hijuelas, La Calera, La Cruz, Limache, Olmué',
  'SAN FELIPE': 'San Felipe, Panquehue, Catemu, Putaendo, Santa María, Llay Llay',
  'LOS ANDES': 'Los Andes, Calle Larga, San Esteban, Rinconada',
  'VILLA ALEMANA': 'Villa Alemana, Quilpué',
  RANCAGUA:
    'Rancagua, Machalí, Graneros, Mostazal, Doñihue, Codegua, Rengo, Coltauco, Requínoa, Olivar, Malloa, Coinco, ' +
    'Quinta de Tilcoco',
  'SAN FERNANDO': 'San Fernando, Chimbarongo, Nancagua, Placilla',
  'SANTA CRUZ': 'Santa Cruz, Lolol, Palmilla, Peralillo, Chépica, Pumanque',
  'SAN VICENTE TAGUA TAGUA': 'San Vicente, Las Cabras, Peumo, Pichidegua',
  PICHILEMU: 'Pichilemu, Paredones, Marchihue, Litueche, La Estrella, Navidad',
  TALCA: 'Talca, San Clemente, Pelarco, Río Claro, Pencahue, Maule, Curepto, San Javier, San Rafael',
  LINARES: 'Linares, Yerbas Buenas, Colbún, Longaví, Villa Alegre',
  CONSTITUCIÓN: 'Constitución, Empedrado',
  CAUQUENES: 'Cauquenes, Pelluhue, Chanco',
  PARRAL: 'Parral, Retiro',
  CURICÓ: 'Curicó, Teno, Romeral, Molina, Hualañé, Sagrada Familia, Licantén, Vichuquén, Rauco',
  CONCEPCIÓN:
    'Concepción, Chiguayante, San Pedro de la Paz, Penco, Hualqui, Florida, Tomé, Coronel, Lota, Santa Juana, Arauco',
  CHILLÁN:
    'Chillán, Chillán Viejo, Pinto, El Carmen, San Ignacio, Pemuco, Yungay, Bulnes, Quillón, Ránquil, Portezuelo, ' +
    'Coelemu, Trehuaco, Quirihue, Cobquecura, Ninhue, Coihueco',
  'LOS ÁNGELES':
    'Los Ángeles, Santa Bárbara, Laja, Quilleco, Nacimiento, Negrete, Mulchén, Quilaco, Yumbel, Cabrero, ' +
    'San Rosendo, Tucapel, Antuco, Alto Biobío',
  'SAN CARLOS': 'San Carlos, Ñiquén, San Nicolás, San Fabián',
  TALCAHUANO: 'Talcahuano, Hualpén',
  LEBU: 'Lebu, Curanilahue, Los Álamos, Cañete, Contulmo, Tirúa',
  TEMUCO:
    'Temuco, Vilcún, Freire, Cunco, Lautaro, Perquenco, Galvarino, Nueva Imperial, Carahue, Saavedra, Pitrufquén, ' +
    'Gorbea, Toltén, Loncoche, Melipeuco, Teodoro Schmidt, Padre Las Casas, Cholchol',
  ANGOL: 'Angol, Purén, Los Sauces, Renaico, Collipulli, Ercilla',
  VICTORIA: 'Victoria, Traiguén, Lumaco, Curacautín, Lonquimay',
  VILLARRICA: 'Villarrica, Pucón, Curarrehue',
  VALDIVIA: 'Valdivia, Mariquina, Máfil, Corral, Los Lagos, Paillaco, Futrono',
  LANCO: 'Lanco',
  PANGUIPULLI: 'Panguipulli',
  'LA UNIÓN': 'La Unión, Río Bueno, Lago Ranco',
  'PUERTO MONTT': 'Puerto Montt, Calbuco, Maullín, Los Muermos, Hualaihué',
  'PUERTO VARAS': 'Puerto Varas, Cochamó, Fresia, Llanquihue, Frutillar',
  ANCUD: 'Ancud, Quemchi',
  OSORNO: 'Osorno, Puyehue, Purranque, Río Negro, San Pablo, San Juan de la Costa, Puerto Octay',
  CASTRO: 'Castro, Curaco de Vélez, Chonchi, Dalcahue, Puqueldón, Queilén, Quellón, Quinchao',
  CHAITÉN: 'Chaitén, Palena, Futaleufú',
  COYHAIQUE: 'Coyhaique, Río Ibáñez',
  COCHRANE: "Cochrane, O'Higgins, Tortel",
  AYSÉN: 'Aysén, Cisnes, Lago Verde, Guaitecas',
  'CHILE CHICO': 'Chile Chico',
  'PUNTA ARENAS': 'Punta Arenas, Río Verde, San Gregorio, Laguna Blanca, Cabo de Hornos, Antártica',
  'PUERTO NATALES': 'Natales, Torres del Paine',
  PORVENIR: 'Porvenir, Primavera, Timaukel',
  'SANTIAGO NORTE': 'Independencia, Recoleta, Huechuraba, Conchalí, Quilicura, Colina, Lampa, Tiltil',
  'SANTIAGO CENTRO': 'Santiago',
  'SANTIAGO PONIENTE': 'Cerro Navia, Curacaví, Estación Central, Lo Prado, Pudahuel, Quinta Normal, Renca',
  MELIPILLA: 'Melipilla, San Pedro, Alhué, María Pinto',
  MAIPÚ: 'Maipú, Cerrillos, Padre Hurtado, Peñaflor, Talagante, El Monte, Isla de Maipo',
  'SANTIAGO ORIENTE': 'Las Condes, Vitacura, Lo Barnechea',
  ÑUÑOA: 'Ñuñoa, La Reina, Macul, Peñalolén',
  PROVIDENCIA: 'Providencia',
  'SANTIAGO SUR':
    'San Miguel, La Cisterna, San Joaquín, Pedro Aguirre Cerda, Lo Espejo, La Granja, La Pintana, San Ramón',
  'LA FLORIDA': 'La Florida, Puente Alto, Pirque, San José de Maipo',
  'SAN BERNARDO': 'San Bernardo, Calera de Tango, El Bosque',
  BUIN: 'Buin, Paine',
}

/** Other ways people and registers spell a comuna. */
const ALIASES: Readonly<Record<string, string>> = {
  'SANTIAGO CENTRO': 'SANTIAGO',
  PAIGUANO: 'PAIHUANO',
  CALERA: 'LA CALERA',
  LLAILLAY: 'LLAY LLAY',
  'SAN FRANCISCO DE MOSTAZAL': 'MOSTAZAL',
  'SAN VICENTE DE TAGUA TAGUA': 'SAN VICENTE',
  MARCHIGUE: 'MARCHIHUE',
  TREGUACO: 'TREHUACO',
  'PUERTO SAAVEDRA': 'SAAVEDRA',
  'SAN JOSE DE LA MARIQUINA': 'MARIQUINA',
  COIHAIQUE: 'COYHAIQUE',
  AISEN: 'AYSEN',
  'PUERTO AYSEN': 'AYSEN',
  'PUERTO CISNES': 'CISNES',
  'PUERTO NATALES': 'NATALES',
  'TIL TIL': 'TILTIL',
}

/** Upper case without accents; the tilde of the Ñ goes too, as it does on many keyboards. */
function fold(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase().replace(/[’`´]/g, "'").replace(/\s+/g, ' ').trim()
}

export const COMUNAS: readonly string[] = Object.values(OFFICES).flatMap((names) => names.split(', '))

const OFFICE_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(OFFICES).flatMap(([office, names]) => names.split(', ').map((name) => [fold(name), office] as const)),
)

/** The SII office of a comuna however it is accented or cased, or null when no comuna has that name. */
export function siiOffice(comuna: string): string | null {
  const name = fold(comuna.slice(0, 60))
  return OFFICE_OF.get(ALIASES[name] ?? name) ?? null
}
