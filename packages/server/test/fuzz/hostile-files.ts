// Files as banks and suppliers would never send them.

import { deflateRawSync } from 'node:zlib'
import { csvOf, xlsxOf } from '../support/cartola-file.ts'
import { dteFile } from '../support/supplier-file.ts'
import { zipOf } from '../support/zip-file.ts'
import type { Draw } from './chance.ts'
import type { Sizes } from './hostile-text.ts'

const RUT = '77123456-9'
const CARTOLA = csvOf('Fecha;Detalle;Monto', '03/11/2026;Pago proveedor;-1500', '04/11/2026;Abono;2500')

/** Some bytes of a sound file, changed. */
function garbled(bytes: Buffer, draw: Draw): Buffer {
  const out = Buffer.from(bytes)
  for (let hits = 1 + draw.below(8); hits > 0; hits--) out[draw.below(out.length)] = draw.below(256)
  return out
}

export function hostileCartola(draw: Draw, { bytes }: Sizes): Buffer {
  const sheet = () =>
    xlsxOf([
      {
        name: 'Hoja',
        rows: [
          ['Fecha', 'Detalle', 'Monto'],
          ['03/11/2026', 'Pago', -1500],
        ],
      },
    ])
  return draw.one<() => Buffer>([
    () => CARTOLA,
    sheet,
    () => garbled(CARTOLA, draw),
    () => garbled(sheet(), draw),
    () => sheet().subarray(0, draw.below(sheet().length)),
    () => Buffer.from(`Fecha;Detalle;Monto\n${'03/11/2026;"'.repeat(Math.floor(bytes / 12))}`),
    () => Buffer.from(`Fecha;Detalle;Monto\n${';'.repeat(Math.floor(bytes / 2))}`),
    () => Buffer.from('\n'.repeat(Math.floor(bytes / 2))),
    () => Buffer.from(`Fecha;Detalle;Monto\n03/11/2026;x;${'9'.repeat(300)}\n31/02/2026;y;1e5\n;;\n`),
    () => Buffer.from(`=cmd|'/c calc'!A1;${'a'.repeat(50_000)}`),
    () => Buffer.from('Fecha;Detalle;Monto\n03/11/2026;\u0000\ud800;1', 'utf16le'),
    () => zipOf([{ name: 'xl/workbook.xml', bytes: Buffer.from('<workbook>') }]),
    () => zipOf([{ name: '../../x', bytes: Buffer.alloc(1_000_000), claimed_size: 1 }]),
    () => Buffer.from('%PDF-1.7\n'),
    () => Buffer.alloc(0),
    () => deflateRawSync(Buffer.alloc(100_000)),
  ])()
}

export function hostileXml(draw: Draw, { bytes, depth }: Sizes): Buffer {
  const sound = dteFile(RUT, 1 + draw.below(1_000_000))
  const changed = (from: RegExp, to: string) => Buffer.from(sound.toString('latin1').replace(from, to), 'latin1')
  return draw.one<() => Buffer>([
    () => sound,
    () => garbled(sound, draw),
    () => sound.subarray(0, draw.below(sound.length)),
    () => changed(/<MntTotal>\d+/, '<MntTotal>99999999999999999999'),
    () => changed(/<Folio>\d+/, '<Folio>-1'),
    () => changed(/<FchEmis>[^<]+/, '<FchEmis>0000-00-00'),
    () => changed(/<RznSoc>[^<]*/, `<RznSoc>${'x'.repeat(5_000)}`),
    () => changed(/<Modulus>[^<]*/, '<Modulus>AA=='),
    () => changed(/<DigestValue>[^<]*/, '<DigestValue>'),
    () => changed(/<SignatureValue>[^<]*/, `<SignatureValue>${'A'.repeat(20_000)}`),
    () => Buffer.from(`<DTE>${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}</DTE>`),
    () => Buffer.from(`<DTE ${Array.from({ length: 2_000 }, (_, i) => `a${i}="x"`).join(' ')}/>`),
    () => Buffer.from(`<DTE>${'&amp;'.repeat(Math.floor(bytes / 10))}</DTE>`),
    () => Buffer.from(`<!DOCTYPE a [<!ENTITY x "${'x'.repeat(100)}">]><DTE>${'&x;'.repeat(1_000)}</DTE>`),
    () => Buffer.from(`<DTE><!--${'-'.repeat(Math.floor(bytes / 2))}`),
    () => Buffer.from(`<DTE><![CDATA[${']'.repeat(Math.floor(bytes / 2))}`),
    () => Buffer.from('<?xml version="1.0" encoding="UTF-32"?><DTE/>'),
    () => Buffer.from('<EnvioDTE><SetDTE><DTE/></SetDTE></EnvioDTE>'),
  ])()
}

function part(headers: string, body: string): string {
  return `--b\r\n${headers}\r\n\r\n${body}\r\n`
}

/** A mail, hostile in its shape or in what it carries. */
export function hostileMail(draw: Draw, sizes: Sizes): Buffer {
  const room = Math.floor(sizes.bytes / 2)
  const head = 'From: a@b.cl\r\nSubject: x\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
  const attached = (name: string, bytes: Buffer) =>
    part(
      `Content-Type: application/octet-stream; name="${name}"\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64`,
      bytes.toString('base64'),
    )
  const repeated = (start: string, unit: string) => Buffer.from(start + unit.repeat(Math.floor(room / unit.length)))
  return draw.one<() => Buffer>([
    () => Buffer.from(`${head}${attached('dte.xml', hostileXml(draw, sizes))}--b--\r\n`),
    () =>
      Buffer.from(`${head}${attached('dte.zip', zipOf([{ name: 'a.xml', bytes: hostileXml(draw, sizes) }]))}--b--\r\n`),
    () =>
      Buffer.from(`${head}${attached('dte.zip', garbled(zipOf([{ name: 'a.xml', bytes: CARTOLA }]), draw))}--b--\r\n`),
    () => repeated(head, '--b\r\n'),
    () => repeated(head, '--b\r\nContent-Disposition: attachment\r\n\r\nx\r\n'),
    () => repeated('Content-Type: multipart/digest; boundary="b"\r\n\r\n', '--b\r\n\r\nFrom: a@b\r\n\r\nx\r\n'),
    () => repeated('Content-Type: text/plain; format=flowed\r\n\r\n', '> \n'),
    () => repeated('Content-Type: text/html\r\n\r\n', '<style '),
    () => repeated('Subject: ', '=?utf-8?Q?a?= '),
    () => repeated('To: ', 'g:a;'),
    () => repeated('References: ', '<a@b> '),
    () => repeated('A: b\r\n', ' \r\n'),
    () => repeated('Content-Type: text/plain; ', 'a*0*=b; '),
    () => repeated('', 'Content-Type: message/rfc822\r\n\r\n'),
    () => repeated('', '..\r\n'),
    () => Buffer.from('\0\xff\xfe', 'latin1'),
    () => Buffer.alloc(0),
  ])()
}
