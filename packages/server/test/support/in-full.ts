/**
 * `npm run test:long` and `npm run test:faults` go through everything. `npm test` leaves out what takes long and is told
 * by shorter tests in most of its parts: it says which.
 */
export const IN_FULL = process.env.TEST_IN_FULL !== undefined || process.env.FAULT_ROUNDS !== undefined
