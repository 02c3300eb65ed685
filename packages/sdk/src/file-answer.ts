/** Watches over an answer while it is read. */
export interface Watch {
  /** Something came. */
  alive(): void
  /** There is nothing left to watch. */
  over(): void
  /** What a failure of the reading is called. */
  errorOf(cause: unknown): Error
}

/** The bytes as they come. One that stalls, or whose caller ends it, fails as the call itself would have. */
function watched(body: ReadableStream<Uint8Array> | null, watch: Watch): ReadableStream<Uint8Array> {
  const reader = body?.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = (await reader?.read()) ?? { done: true as const, value: undefined }
        if (done) {
          watch.over()
          controller.close()
        } else {
          watch.alive()
          controller.enqueue(value)
        }
      } catch (cause) {
        watch.over()
        controller.error(watch.errorOf(cause))
      }
    },
    async cancel(reason) {
      watch.over()
      await reader?.cancel(reason)
    },
  })
}

/** A file that was answered: read it as a stream, or whole. Either can be done once. */
export class FileAnswer {
  readonly stream: ReadableStream<Uint8Array>
  readonly contentType: string
  /** The name that the service gives it, such as `33-1042.pdf`. */
  readonly filename: string | undefined
  readonly requestId: string | undefined

  constructor(response: Response, watch: Watch) {
    this.stream = watched(response.body, watch)
    this.contentType = response.headers.get('content-type') ?? 'application/octet-stream'
    this.filename = /filename="(?!\.)([^"/\\]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
    this.requestId = response.headers.get('svc-request-id') ?? undefined
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await new Response(this.stream).arrayBuffer())
  }

  async text(): Promise<string> {
    return new Response(this.stream).text()
  }
}
