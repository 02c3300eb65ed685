/** The file is not well-formed XML, or is written in a way that no DTE is. */
export class XmlFault extends Error {
  readonly line: number
  /** The file ends before its root does: it was cut short on the way. */
  readonly ended: boolean

  constructor(message: string, source: string, at: number) {
    super(message.slice(0, 500))
    this.line = lineAt(source, at)
    this.ended = message === CUT_SHORT || (at > 0 && at >= source.length)
  }
}

export const CUT_SHORT = 'LPX-00007: unexpected end-of-file encountered'

function lineAt(source: string, at: number): number {
  let line = 1
  for (let next = source.indexOf('\n'); next !== -1 && next < at; next = source.indexOf('\n', next + 1)) line++
  return line
}
