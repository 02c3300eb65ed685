/** A nómina that cannot be loaded. The message is for the person who started the load; what was loaded before still serves. */
export class NominaRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NominaRefused'
  }
}
