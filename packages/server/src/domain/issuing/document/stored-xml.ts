import { type Fragment, listed, part } from '../../../kernel/db.ts'
import { encodeDelta } from '../../../kernel/delta.ts'
import { decodeDelta, givesBack } from '../../../kernel/delta-read.ts'
import { type Tenant, tenantsOf } from '../../../kernel/tenant.ts'
import { type Dictionary, dictionaryOf } from './xml-dictionary.ts'

// A signed XML rests as its difference from what the emisor's documents have in common: a fifth of its bytes. What comes back
// is byte for byte what was signed, or an error.

/** An XML as it is written to its row. */
export interface PackedXml {
  readonly bytes: Buffer
  /** Null where it rests as it was signed. */
  readonly dictionary: Dictionary | null
}

export function packXml(signed: Uint8Array): PackedXml {
  const xml = Buffer.from(signed.buffer, signed.byteOffset, signed.byteLength)
  const dictionary = dictionaryOf(xml)
  if (!dictionary) return { bytes: xml, dictionary: null }
  const bytes = encodeDelta(dictionary.base, xml)
  // It is the tax document: it is read back before it is stored.
  if (!givesBack(dictionary.base.bytes, bytes, xml)) throw new Error('a signed XML does not come back from its delta')
  return { bytes, dictionary }
}

/** An XML as it was read from its row: the columns of `STORED_XML`. */
export interface StoredXml<Xml extends Buffer | null = Buffer> {
  readonly xml: Xml
  readonly xml_is_packed: boolean
  readonly xml_dictionary: Buffer | null
}

/** Of a row `x` of the XMLs, beside `joinDictionary`. */
export const STORED_XML: Fragment = part`x.xml, x.dictionary_id is not null as xml_is_packed, y.bytes as xml_dictionary`

export const joinDictionary: Fragment = part`left join document_xml_dictionary y
  on y.empresa_id = x.empresa_id and y.id = x.dictionary_id and y.account_id = x.account_id`

export function openXml({ xml, xml_is_packed, xml_dictionary }: StoredXml): Buffer {
  if (!xml_is_packed) return xml
  if (xml_dictionary === null) throw new Error('the dictionary of an XML is missing')
  return decodeDelta(xml_dictionary, xml)
}

/** The same where there may be none yet. */
export function openAnyXml(row: StoredXml<Buffer | null>): Buffer | null {
  return row.xml === null ? null : openXml({ ...row, xml: row.xml })
}

/** Writes the dictionaries that are not there yet, in the statement of the XMLs that name them. */
export function insertDictionaries(packed: readonly (PackedXml & Tenant)[]): Fragment {
  const wanted = new Map(
    packed.flatMap(({ dictionary, account_id, empresa_id, mode }) =>
      dictionary ? [[`${empresa_id}|${dictionary.id}`, { account_id, empresa_id, mode, ...dictionary }]] : [],
    ),
  )
  // In one order, so that two that write the same never wait for each other in a circle.
  const rows = [...wanted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  if (rows.length === 0) return part`select 1`
  return part`
    insert into document_xml_dictionary (account_id, empresa_id, id, bytes)
    select w.account_id, w.empresa_id, w.id, w.bytes
    from (select ${tenantsOf(rows)}, ${listed.bigint(rows.map(({ id }) => id))} as id,
      ${listed.bytea(rows.map(({ base }) => base.bytes))} as bytes) w
    where not exists (
      select from document_xml_dictionary y
      where y.empresa_id = w.empresa_id and y.id = w.id and y.account_id = w.account_id)
    on conflict do nothing`
}
