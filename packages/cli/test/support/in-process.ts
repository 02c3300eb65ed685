/** Who calls the API from the process of a test: never interrupted, and what is noted is kept. */
export function inProcess() {
  const notes: string[] = []
  const out = { json: false, note: (text: string) => void notes.push(text) }
  return { signal: new AbortController().signal, out, notes }
}
