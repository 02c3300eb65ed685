// The sandbox without the time that it takes to decide.

import type { Sii } from '../../src/ports/sii.ts'

/** More than the sandbox takes for anything but what is meant to be slow, which takes ten seconds. */
const AHEAD_MS = 2_000
const ahead = <T extends { readonly at: Date }>(question: T): T => ({
  ...question,
  at: new Date(question.at.getTime() + AHEAD_MS),
})

/** Decides as the sandbox does, and is to be asked at once: whoever asks is answered as some moments later. */
export function quickSandbox(sandbox: Sii): Sii {
  return {
    ...sandbox,
    submit: async (submission) => ({ ...(await sandbox.submit(submission)), ask_at: submission.at }),
    statusOf: (question) => sandbox.statusOf(ahead(question)),
    cede: async (order) => ({ ...(await sandbox.cede(order)), ask_at: order.at }),
    cesionStateOf: (question) => sandbox.cesionStateOf(ahead(question)),
    fileF29: async (order) => ({ ...(await sandbox.fileF29(order)), ask_at: order.at }),
    f29StateOf: (question) => sandbox.f29StateOf(ahead(question)),
  }
}
