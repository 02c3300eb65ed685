/** A place where a worker stands still until it is let go. */
export function gate() {
  let reached = false
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const stand = () => {
    reached = true
    return opened
  }
  return { stand, open, reached: async () => reached }
}
