import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { prepareZXingModule, type ReadResult, readBarcodes } from 'zxing-wasm/reader'

/** Grey pixels, one byte each, row by row. */
export interface Grey {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

let ready: Promise<unknown> | undefined

/** The reader fetches its program over the network unless it is handed over. */
async function loadReader(): Promise<void> {
  ready ??= readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')).then((binary) =>
    prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(binary).buffer }, fireImmediately: true }),
  )
  await ready
}

/** Every PDF417 symbol that zxing finds in the picture. */
export async function decodePdf417(grey: Grey): Promise<ReadResult[]> {
  await loadReader()
  const data = new Uint8ClampedArray(grey.width * grey.height * 4)
  const pixels = new Uint32Array(data.buffer)
  for (let i = 0; i < pixels.length; i++) pixels[i] = 0xff000000 + (grey.pixels[i] ?? 0) * 0x010101
  const image = { data, width: grey.width, height: grey.height, colorSpace: 'srgb' as const }
  return readBarcodes(image, { formats: ['PDF417'], tryHarder: true, tryRotate: true })
}

/** Reads a binary PGM, the grey format that poppler writes. */
export function readPgm(file: Uint8Array): Grey {
  const head = new TextDecoder('latin1').decode(file.subarray(0, 64))
  const match = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(head)
  if (!match) throw new Error('not a binary PGM of 8 bits')
  return { width: Number(match[1]), height: Number(match[2]), pixels: file.subarray(match[0].length) }
}

/** Reads a binary PBM: one bit a pixel, 1 for black. */
export function readPbm(file: Uint8Array): Grey {
  const head = new TextDecoder('latin1').decode(file.subarray(0, 64))
  const match = /^P4\s+(\d+)\s+(\d+)\s/.exec(head)
  if (!match) throw new Error('not a binary PBM')
  const [width, height] = [Number(match[1]), Number(match[2])]
  const stride = Math.ceil(width / 8)
  const bits = file.subarray(match[0].length)
  const pixels = new Uint8Array(width * height)
  for (let i = 0; i < pixels.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
    pixels[i] = ((bits[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 0 : 255
  }
  return { width, height, pixels }
}
