// Loaded into a process before its program: its clock is off by CLOCK_OFF_MS, as on a machine that lost the time.
const off = Number(process.env.CLOCK_OFF_MS)
const RealDate = Date
const now = () => RealDate.now() + off
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given))
  }

  static now() {
    return now()
  }
}
