/** A case that was read and still cannot be built: its section is left out, and says why. */
export class PlanProblem extends Error {
  readonly line: number
  readonly text: string

  constructor(line: number, text: string, why: string) {
    super(why)
    this.name = 'PlanProblem'
    this.line = line
    this.text = text
  }
}
