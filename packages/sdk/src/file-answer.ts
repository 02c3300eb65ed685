import { ConnectionError } from './errors.ts'

/** A file that was answered: read it as a stream, or whole. Either can be done once. */
export class FileAnswer {
  readonly stream: ReadableStream<Uint8Array>
  readonly contentType: string
  /** The name that the service gives it, such as `33-1042.pdf`. */
  readonly filename: string | undefined
  readonly requestId: string | undefined
  readonly #response: Response

  constructor(response: Response) {
    this.#response = response
    this.stream = response.body as ReadableStream<Uint8Array>
    this.contentType = response.headers.get('content-type') ?? 'application/octet-stream'
    this.filename = /filename="([^"/\\]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
    this.requestId = response.headers.get('svc-request-id') ?? undefined
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.#whole((response) => response.arrayBuffer()))
  }

  async text(): Promise<string> {
    return this.#whole((response) => response.text())
  }

  async #whole<T>(read: (response: Response) => Promise<T>): Promise<T> {
    try {
      return await read(this.#response)
    } catch (cause) {
      if (
        this.#response.bodyUsed &&
        cause instanceof TypeError &&
        /locked|disturbed|already|unusable/i.test(cause.message)
      )
        throw cause
      throw new ConnectionError({
        code: 'connection_failed',
        message: 'The connection broke in the middle of the file.',
        hint: 'Ask for it again.',
        retriable: true,
        requestId: this.requestId,
        cause,
      })
    }
  }
}
