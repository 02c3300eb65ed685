// The master key of every world. Apart from them, because what prepares their database runs outside of the tests.

import { createHash } from 'node:crypto'

export const MASTER_KEY = createHash('sha256').update('the master key of the tests').digest()
