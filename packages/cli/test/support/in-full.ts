/** `npm run test:long` goes through everything; `npm test` leaves out what takes long. */
export const IN_FULL = process.env.TEST_IN_FULL !== undefined
