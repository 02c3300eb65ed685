/** Trouble that whoever starts the service can mend. Its message tells them how, and is all that they are shown. */
export class StartRefused extends Error {}
