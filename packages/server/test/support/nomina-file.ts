// Files of the SII's nómina of contribuyentes.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkDigit } from '@timbre/dte/values'
import type { Sql } from '../../src/kernel/db.ts'

export const NAMES_HEADER = 'RUT\tDV\tCOD_SUBTIPO\tRAZON_SOCIAL\tFECHA_INICIO_VIG\tFECHA_TG_VIG'
export const ACTIVITIES_HEADER =
  'RUT\tDV\tCODIGO ACTIVIDAD\tDESC. ACTIVIDAD ECONOMICA\tFECHA\tAFECTA A IVA\tCATEGORIA TRIBUTARIA'
export const ADDRESSES_HEADER =
  'RUT\tDV\tVIGENCIA\tFECHA\tTIPO_DIRECCION\tCALLE\tNUMERO\tBLOQUE\tDEPARTAMENTO\tVILLA_POBLACION\tCIUDAD\tCOMUNA\tREGION'

/** A RUT in its two columns. */
export function columns(rut: number): string {
  return `${rut}\t${checkDigit(rut)}`
}

/** A file of names, as many as wanted, from 60.000.000 on. */
export function namesFile(count: number, name = 'EMPRESA DE PRUEBA'): string {
  const rows = Array.from({ length: count }, (_, i) => `${columns(60_000_000 + i)}\t125\t${name} ${i}\t01-03-2015\t`)
  return `${NAMES_HEADER}\n${rows.join('\n')}\n`
}

/** The one contribuyente most tests are about. */
export const RUT = '76543210-3'

export function oneName(name: string): string {
  return `${NAMES_HEADER}\n${columns(76543210)}\t125\t${name}\t01-03-2015\t\n`
}

export function oneActivity(description: string): string {
  return `${ACTIVITIES_HEADER}\n${columns(76543210)}\t011101\t${description}\t01-03-2015\tS\t1\n`
}

/** Tables a load left behind that do not serve. */
export async function leftovers(sql: Sql): Promise<string[]> {
  const rows = await sql<{ relname: string }>`select relname from pg_class where relname like 'contribuyente%next%'`
  return rows.map(({ relname }) => relname)
}

/** A folder for the files of a test. */
export async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-nomina-'))
  return {
    path: folder,
    async put(name: string, bytes: string | Buffer): Promise<string> {
      await writeFile(join(folder, name), bytes)
      return join(folder, name)
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
