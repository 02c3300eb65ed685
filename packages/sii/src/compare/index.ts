/** For whoever compares two ends that speak the SII's protocols: shapes, never contents. */
export { type ComparedSide, compareWalks, type Difference, type SeenDoor, walkDoors } from './compare.ts'
export type { RedactedSample } from './sample.ts'
